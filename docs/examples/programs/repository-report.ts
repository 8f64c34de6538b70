// A report over the files that the filesystem server may read: every one is read, in parallel, and what comes back is a page.
// A program is the body of an async function: top-level await, and return for the result.
interface TreeNode {
  name: string
  type: 'file' | 'directory'
  children?: TreeNode[]
}

const flatten = (path: string, nodes: TreeNode[]): string[] =>
  nodes.flatMap((node) => {
    const here = `${path}/${node.name}`
    return node.type === 'directory' ? flatten(here, node.children ?? []) : [here]
  })

const allowed = await tools.filesystem_list_allowed_directories({})
const roots = allowed.content.split('\n').filter((line) => line.startsWith('/'))
const listings = await Promise.all(
  roots.map(async (path) => {
    const tree = await tools.filesystem_directory_tree({ path })
    return flatten(path, JSON.parse(tree.content))
  }),
)
const paths = listings
  .flat()
  .filter((path) => /\.(ts|md|json)$/.test(path))
  .slice(0, 400)
console.log(`${paths.length} files in ${roots.length} directories`)

let read = 0
const files = await Promise.all(
  paths.map(async (path) => {
    const { content } = await tools.filesystem_read_text_file({ path })
    read += 1
    if (read % 50 === 0) console.log(`read ${read} of ${paths.length}`)
    const root = roots.find((each) => path.startsWith(each)) ?? ''
    return { name: path.slice(root.lastIndexOf('/') + 1), content, lines: content.split('\n') }
  }),
)

const folders: Record<string, { files: number; lines: number; comments: number }> = {}
const imported = new Map<string, number>()
for (const { name, content, lines } of files) {
  const folder = name.split('/').slice(0, 2).join('/')
  const sum = (folders[folder] ??= { files: 0, lines: 0, comments: 0 })
  sum.files += 1
  sum.lines += lines.length
  sum.comments += lines.filter((line) => /^\s*(\/\/|\/?\*)/.test(line)).length
  for (const [, module = ''] of content.matchAll(/ from '(?:\.\.?\/)+([^']+)\.ts'/g)) {
    imported.set(module, (imported.get(module) ?? 0) + 1)
  }
}

return {
  files: files.length,
  characters: files.reduce((sum, { content }) => sum + content.length, 0),
  longest: files
    .filter(({ name }) => name.endsWith('.ts'))
    .sort((a, b) => b.lines.length - a.lines.length)
    .slice(0, 3)
    .map(({ name, lines }) => `${name} (${lines.length} lines)`),
  mostImported: [...imported]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 5)
    .map(([module, times]) => `${module} (${times} times)`),
  folders,
}
