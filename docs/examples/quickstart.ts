import { createCell, defineTool } from 'runcell'

const priceOf = defineTool({
  name: 'price_of',
  description: 'Price of an article in cents.',
  parameters: { article: { type: 'string', required: true } },
  output: { schema: { type: 'integer' } },
  execute: ({ article }) => article.length * 100,
})
await using cell = await createCell({ tools: [priceOf] })
const result = await cell.run(`
  const prices = await Promise.all(['pen', 'ruler'].map((article) => tools.price_of({ article })))
  return prices.reduce((sum, price) => sum + price)
`)
console.log(result.isError ? result.error.message : result.value) // { logs: [], result: 800 }
