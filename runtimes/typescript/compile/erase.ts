// Turns TypeScript into JavaScript by writing spaces over the types, so that every line and column stays what it was: stack traces, V8's
// own syntax errors and whatever the program reads or logs itself name places in the program as written.
// Called by worker.ts with a parsed body. What cannot be erased in place (enums, namespaces, parameter properties, decorators, a few rare
// forms) makes it give up, and lower.ts takes over.
//
// Two traps. A type that ends a line may be all that kept the next line apart (`x as T⏎(y)` would become a call): a semicolon takes its
// first place then. And a type may hold a line end where JavaScript allows none (before `=>`): that is given up, too.
import ts from 'typescript'

/** The JavaScript of a program, as long as the program; `undefined` when something in it has to be rewritten. */
export function eraseTypes(file: ts.SourceFile): string | undefined {
  // A comment to V8, an expression to TypeScript.
  if (/<!--|-->/.test(file.text)) return undefined
  const eraser = new Eraser(file)
  return eraser.run() ? eraser.text() : undefined
}

/** A stretch of the program that is overwritten. */
interface Erasure {
  readonly start: number
  readonly end: number
  /** Begins with a semicolon. */
  readonly stop: boolean
}

/** Modifiers that say nothing to JavaScript. */
const TYPE_MODIFIERS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.AbstractKeyword,
  ts.SyntaxKind.DeclareKeyword,
  ts.SyntaxKind.OverrideKeyword,
  ts.SyntaxKind.PrivateKeyword,
  ts.SyntaxKind.ProtectedKeyword,
  ts.SyntaxKind.PublicKeyword,
  ts.SyntaxKind.ReadonlyKeyword,
])

class Eraser {
  readonly #file: ts.SourceFile
  readonly #source: string
  readonly #scanner = ts.createScanner(ts.ScriptTarget.ESNext, true)
  readonly #erasures: Erasure[] = []
  /** Where a statement or a field ends without a semicolon. */
  readonly #openEnds = new Set<number>()
  #possible = true

  constructor(file: ts.SourceFile) {
    this.#file = file
    this.#source = file.text
  }

  /** False when something has to be rewritten. The walk keeps its own stack: operator chains nest by the thousand. */
  run(): boolean {
    const hashbang = ts.getShebang(this.#source)
    if (hashbang !== undefined) this.#erase(0, hashbang.length)
    const nodes: ts.Node[] = [this.#file]
    for (let node = nodes.pop(); node !== undefined && this.#possible; node = nodes.pop()) {
      if (this.#visit(node)) ts.forEachChild(node, (child) => void nodes.push(child))
    }
    return this.#possible
  }

  text(): string {
    let text = ''
    let at = 0
    for (const { start, end, stop } of this.#erasures.sort((a, b) => a.start - b.start)) {
      if (end <= at) continue
      const from = Math.max(start, at)
      text += this.#source.slice(at, from)
      const blank = this.#source.slice(from, end).replace(/[^\n\r\u2028\u2029]/g, ' ')
      text += stop || this.#openEnds.has(end) ? `;${blank.slice(1)}` : blank
      at = end
    }
    return text + this.#source.slice(at)
  }

  /** Erases what is a type in a node; true if its children are to be visited. */
  #visit(node: ts.Node): boolean {
    if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return false
    if (this.#isTypeOnly(node)) {
      this.#erase(node.getStart(this.#file), node.end, true)
      return false
    }
    if (mustBeRewritten(node)) {
      this.#possible = false
      return false
    }
    if ((ts.isStatement(node) || ts.isPropertyDeclaration(node)) && this.#source[node.end - 1] !== ';') {
      this.#openEnds.add(node.end)
    }
    this.#eraseModifiers(node)
    if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) this.#eraseAssertion(node)
    else if (ts.isNonNullExpression(node)) this.#erase(node.expression.end, node.end)
    else if (ts.isVariableDeclaration(node)) this.#eraseAnnotation(node.exclamationToken, node.type)
    else if (ts.isPropertyDeclaration(node)) {
      this.#eraseAnnotation(node.exclamationToken ?? node.questionToken, node.type)
    } else if (ts.isParameter(node)) return this.#eraseParameter(node)
    else if (ts.isFunctionLike(node)) this.#eraseSignature(node)
    else if (ts.isClassLike(node)) this.#eraseList(node.typeParameters)
    else if (ts.isHeritageClause(node) && node.token === ts.SyntaxKind.ImplementsKeyword) {
      this.#erase(node.getStart(this.#file), node.end)
      return false
    } else if (hasTypeArguments(node)) this.#eraseList(node.typeArguments)
    return true
  }

  /** Statements and members that are types from end to end. */
  #isTypeOnly(node: ts.Node): boolean {
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isIndexSignatureDeclaration(node)) {
      return true
    }
    if (ts.canHaveModifiers(node) && hasModifier(node, ts.SyntaxKind.DeclareKeyword)) return true
    if (ts.isPropertyDeclaration(node)) return hasModifier(node, ts.SyntaxKind.AbstractKeyword)
    // Overloads and abstract members have no body.
    return (
      (ts.isFunctionDeclaration(node) ||
        ts.isMethodDeclaration(node) ||
        ts.isConstructorDeclaration(node) ||
        (ts.isAccessor(node) && hasModifier(node, ts.SyntaxKind.AbstractKeyword))) &&
      node.body === undefined
    )
  }

  /** A modifier that opens a class member leaves a semicolon: the member before it may have ended by it. */
  #eraseModifiers(node: ts.Node): void {
    if (!ts.canHaveModifiers(node)) return
    const { modifiers } = node
    if (modifiers === undefined) return
    for (const modifier of modifiers) {
      if (!TYPE_MODIFIERS.has(modifier.kind)) continue
      this.#erase(modifier.getStart(this.#file), modifier.end, ts.isClassElement(node) && modifier === modifiers[0])
    }
  }

  #eraseAssertion(node: ts.AsExpression | ts.SatisfiesExpression): void {
    const { parent } = node
    // `a + b as T * c` is (a + b) * c; without the type it would be something else.
    if (ts.isBinaryExpression(parent) && parent.left === node && bindsTighter(parent.operatorToken.kind)) {
      this.#possible = false
    }
    this.#erase(node.expression.end, node.end)
  }

  /** `?: T`, `!: T` or `: T` behind a name. */
  #eraseAnnotation(mark: ts.Node | undefined, type: ts.TypeNode | undefined): void {
    const start = mark?.getStart(this.#file) ?? (type === undefined ? undefined : type.pos - 1)
    if (start !== undefined) this.#erase(start, type?.end ?? (mark as ts.Node).end)
  }

  /** False for a `this` parameter, which is gone with its comma. */
  #eraseParameter(node: ts.ParameterDeclaration): boolean {
    if (ts.isIdentifier(node.name) && node.name.text === 'this') {
      const { parameters } = node.parent
      const next = parameters[1]
      this.#erase(node.getStart(this.#file), next === undefined ? parameters.end : next.getFullStart())
      return false
    }
    this.#eraseAnnotation(node.questionToken, node.type)
    return true
  }

  #eraseSignature(node: ts.SignatureDeclaration): void {
    this.#eraseList(node.typeParameters)
    if ('questionToken' in node && node.questionToken !== undefined) {
      this.#erase(node.questionToken.getStart(this.#file), node.questionToken.end)
    }
    const { type } = node
    if (type === undefined) return
    this.#erase(type.pos - 1, type.end)
    // No line end may stand between the parameters of an arrow function and `=>`, nor behind `async`.
    if (ts.isArrowFunction(node) && this.#hasLineEnd(type.pos - 1, node.equalsGreaterThanToken.pos)) {
      this.#possible = false
    }
  }

  /** Type parameters or arguments, with their angle brackets. */
  #eraseList(list: ts.NodeArray<ts.Node> | undefined): void {
    if (list === undefined) return
    const start = list.pos - 1
    // What stands between the last entry and the bracket is white space and comments, which the scanner skips.
    this.#scanner.setText(this.#source, list.end)
    this.#scanner.scan()
    const end = this.#scanner.getTokenEnd()
    this.#erase(start, end)
    const owner = list[0]?.parent
    if (owner !== undefined && ts.isArrowFunction(owner) && this.#hasLineEnd(start, end)) this.#possible = false
  }

  #hasLineEnd(start: number, end: number): boolean {
    return /[\n\r\u2028\u2029]/.test(this.#source.slice(start, end))
  }

  #erase(start: number, end: number, stop = false): void {
    this.#erasures.push({ start, end, stop })
  }
}

/** Syntax that has to become other JavaScript. */
function mustBeRewritten(node: ts.Node): boolean {
  return (
    ts.isEnumDeclaration(node) ||
    ts.isModuleDeclaration(node) ||
    ts.isImportEqualsDeclaration(node) ||
    ts.isExportAssignment(node) ||
    ts.isDecorator(node) ||
    ts.isTypeAssertionExpression(node) ||
    (ts.isParameter(node) && (node.modifiers?.length ?? 0) > 0) ||
    (ts.canHaveModifiers(node) && hasModifier(node, ts.SyntaxKind.AccessorKeyword))
  )
}

function hasModifier(node: ts.HasModifiers, kind: ts.SyntaxKind): boolean {
  return node.modifiers?.some((modifier) => modifier.kind === kind) ?? false
}

type WithTypeArguments = ts.Node & { readonly typeArguments?: ts.NodeArray<ts.TypeNode> }

function hasTypeArguments(node: ts.Node): node is WithTypeArguments {
  return (
    ts.isCallExpression(node) ||
    ts.isNewExpression(node) ||
    ts.isTaggedTemplateExpression(node) ||
    ts.isExpressionWithTypeArguments(node)
  )
}

/** Operators between whose operands an assertion groups differently from nothing: all above `as` in precedence. */
function bindsTighter(operator: ts.SyntaxKind): boolean {
  switch (operator) {
    case ts.SyntaxKind.AsteriskAsteriskToken:
    case ts.SyntaxKind.AsteriskToken:
    case ts.SyntaxKind.SlashToken:
    case ts.SyntaxKind.PercentToken:
    case ts.SyntaxKind.PlusToken:
    case ts.SyntaxKind.MinusToken:
    case ts.SyntaxKind.LessThanLessThanToken:
    case ts.SyntaxKind.GreaterThanGreaterThanToken:
    case ts.SyntaxKind.GreaterThanGreaterThanGreaterThanToken:
      return true
    default:
      return false
  }
}
