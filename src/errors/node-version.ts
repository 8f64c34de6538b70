// Which Node runcell needs. Loaded before anything else is, so it imports nothing and speaks no syntax that an old Node lacks.

const OLDEST_NODE_MAJOR = 24

/** What is wrong with the Node that runs this and what to do about it; `undefined` when it will do. */
export function oldNodeProblem(version: string = process.versions.node): string | undefined {
  if (Number(version.split('.')[0]) >= OLDEST_NODE_MAJOR) return undefined
  return (
    `runcell needs Node ${OLDEST_NODE_MAJOR} or later; this is v${version} (${process.execPath}).\n` +
    `Install Node ${OLDEST_NODE_MAJOR}, or add it to the project with \`npm install --save-dev node@${OLDEST_NODE_MAJOR}\` and start through npx or an npm script.`
  )
}
