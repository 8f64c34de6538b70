// Turns TypeScript into JavaScript by writing spaces over the types, so that every line and column stays what it was: stack
// traces, V8's own syntax errors and whatever the program reads or logs itself name places in the program as written.
// Called by worker.ts with a parsed body. What cannot be erased in place (enums, namespaces, parameter properties, decorators and
// a few rare forms) makes it give up, and lower.ts takes over.
import { blankSourceFile } from 'ts-blank-space'
import ts from 'typescript'
import { parseBody, syntaxErrorsOf } from './syntax.ts'

/** The JavaScript of a program, as long as the program; `undefined` when something in it has to be rewritten. */
export function eraseTypes(file: ts.SourceFile): string | undefined {
  const { text } = file
  // The first is a comment to V8 and an expression to TypeScript; the others V8 does not speak.
  if (/<!--|-->/.test(text) || (/@|\baccessor\b/.test(text) && holdsDecorators(file))) return undefined
  let possible = true
  const blanked = blankSourceFile(file, () => {
    possible = false
  })
  if (!possible) return undefined
  const hashbang = ts.getShebang(text)?.length ?? 0
  const erased = ' '.repeat(hashbang) + blanked.slice(hashbang)
  // A modifier may be all that kept a class member apart from the one before it.
  return syntaxErrorsOf(parseBody(erased, 'erased.js')).length === 0 ? erased : undefined
}

/** The walk keeps its own stack: operator chains nest by the thousand. */
function holdsDecorators(file: ts.SourceFile): boolean {
  const nodes: ts.Node[] = [file]
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (ts.isDecorator(node) || node.kind === ts.SyntaxKind.AccessorKeyword) return true
    ts.forEachChild(node, (child) => void nodes.push(child))
  }
  return false
}
