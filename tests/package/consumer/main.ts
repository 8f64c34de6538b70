// What a user's first program may look like. `npm run verify:package` compiles and runs it against the packed tarball.
import { createCell, defineTool } from 'runcell'

const add = defineTool({
  name: 'add',
  description: 'Adds two numbers.',
  parameters: { a: { type: 'number', required: true }, b: { type: 'number', required: true } },
  output: { schema: { type: 'number' }, render: (_args, sum) => `${sum}` },
  execute: ({ a, b }) => a + b,
})

await using cell = await createCell({ tools: [add] })
const result = await cell.run("console.log('adding'); return await tools.add({ a: 2, b: 3 })")
console.log(result.isError ? result.error.message : JSON.stringify(result.value))
