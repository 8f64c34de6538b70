// Both servers at once: the imports of every source file become a graph in the memory server, and the graph answers a question
// that no single file can. A program is the body of an async function: top-level await, and return for the result.
const tag = (folder: string) => `runcell-folder/${folder}`

const allowed = await tools.filesystem_list_allowed_directories({})
const root = allowed.content.split('\n').find((line) => line.endsWith('/src')) ?? ''
const found = await tools.filesystem_search_files({ path: root, pattern: '**/*.ts' })
const paths = found.content.split('\n').filter((path) => path.startsWith(root))
console.log(`${paths.length} source files`)

const uses = new Map<string, Set<string>>()
await Promise.all(
  paths.map(async (path) => {
    const folder = path.slice(root.length + 1).split('/').slice(0, -1)[0] ?? '.'
    const { content } = await tools.filesystem_read_text_file({ path })
    const targets = uses.get(folder) ?? new Set<string>()
    uses.set(folder, targets)
    for (const [, target = ''] of content.matchAll(/ from '\.\.\/([a-z-]+)\//g)) if (target !== folder) targets.add(target)
  }),
)

const names = [...new Set([...uses.keys(), ...[...uses.values()].flatMap((targets) => [...targets])])].sort()
await tools.memory_delete_entities({ entityNames: names.map(tag) })
await tools.memory_create_entities({
  entities: names.map((name) => ({ name: tag(name), entityType: 'folder', observations: [] })),
})
for (const [from, targets] of uses) {
  await tools.memory_create_relations({
    relations: [...targets].map((to) => ({ from: tag(from), to: tag(to), relationType: 'imports' })),
  })
}
console.log(`a graph of ${names.length} folders`)

const graph = await tools.memory_search_nodes({ query: 'runcell-folder/' })
const importers = new Map<string, string[]>()
for (const { from, to } of graph.relations) importers.set(to, [...(importers.get(to) ?? []), from.slice(tag('').length)])
await tools.memory_delete_entities({ entityNames: names.map(tag) })

return [...importers]
  .map(([folder, by]) => ({ folder: folder.slice(tag('').length), importedBy: by.sort() }))
  .sort((a, b) => b.importedBy.length - a.importedBy.length)
  .slice(0, 8)
