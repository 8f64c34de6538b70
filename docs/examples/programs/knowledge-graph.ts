// A knowledge graph, written to the memory server one fact at a time and read back. It checks what it reads, and leaves the
// memory as it was. A program is the body of an async function: top-level await, and return for the result.
const people = ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald']
const machines = ['Analytical Engine', 'Mark I', 'Bombe', 'X1']
const works: [person: string, machine: string][] = [
  ['Ada', 'Analytical Engine'],
  ['Grace', 'Mark I'],
  ['Alan', 'Bombe'],
  ['Edsger', 'X1'],
]
const tag = (name: string) => `runcell-example/${name}`
const everything = [...people, ...machines].map(tag)

await tools.memory_delete_entities({ entityNames: everything })
console.log(`writing ${everything.length} entities`)
for (const name of people) {
  await tools.memory_create_entities({ entities: [{ name: tag(name), entityType: 'person', observations: [] }] })
}
for (const name of machines) {
  await tools.memory_create_entities({ entities: [{ name: tag(name), entityType: 'machine', observations: [] }] })
}
for (const [from, to] of works) {
  await tools.memory_create_relations({ relations: [{ from: tag(from), to: tag(to), relationType: 'worked on' }] })
}
for (const name of people) {
  await tools.memory_add_observations({
    observations: [{ entityName: tag(name), contents: [`${name} has ${name.length} letters`] }],
  })
}

// A tool that fails is an exception like any other: the program goes on, and nobody reads a stack trace.
let refusal = ''
try {
  await tools.memory_add_observations({ observations: [{ entityName: tag('Nobody'), contents: ['does not exist'] }] })
} catch (error) {
  refusal = error instanceof ToolCallError ? `${error.toolName} refused a fact about nobody` : String(error)
  console.warn(refusal)
}

console.log('reading it back')
const answers = await Promise.all(
  works.map(async ([person, machine]) => {
    const { entities, relations } = await tools.memory_open_nodes({ names: [tag(person), tag(machine)] })
    const isKnown = relations.some(({ from, to }) => from === tag(person) && to === tag(machine))
    const facts = entities.flatMap(({ observations }) => observations)
    return { person, machine, isKnown, facts }
  }),
)
const idle: string[] = []
for (const person of people) {
  const { relations } = await tools.memory_open_nodes({ names: [tag(person)] })
  if (relations.length === 0) idle.push(person)
}

await tools.memory_delete_entities({ entityNames: everything })
const { entities: left } = await tools.memory_search_nodes({ query: 'runcell-example/' })
return { answers, idle, refusal, leftOver: left.length }
