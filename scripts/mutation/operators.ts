/** A piece of a file, and what stands there instead. */
export interface Change {
  readonly operator: string
  readonly start: number
  readonly end: number
  readonly text: string
}

/** A node of the syntax tree, as far as it is looked at here. */
export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

/** What a node gives that a change can be made of. */
interface Place {
  readonly node: SyntaxNode
  /** The text of a node. */
  readonly textOf: (node: SyntaxNode) => string
}

type Operator = (place: Place) => readonly Omit<Change, 'operator'>[]

const swapped: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&': '|',
  '|': '&',
  '^': '&',
  '<<': '>>',
  '>>': '<<',
  '>>>': '<<',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+=': '-=',
  '-=': '+=',
  '??=': '=',
}

/** The kinds of change: each gives what can be done at a node, or nothing. */
export const operators: Readonly<Record<string, Operator>> = {
  'condition negated': ({ node, textOf }) =>
    ['IfStatement', 'ConditionalExpression', 'WhileStatement'].includes(node.type)
      ? replace(child(node, 'test'), (test) => `!(${textOf(test)})`)
      : [],
  'operator swapped': ({ node, textOf }) => {
    const left = child(node, 'left')
    const right = child(node, 'right')
    const other = swapped[String(node.operator)]
    if (left === undefined || right === undefined || other === undefined) return []
    if (node.operator === '+' && [left, right].some(isText)) return []
    return [{ ...spanOf(node), text: `(${textOf(left)} ${other} ${textOf(right)})` }]
  },
  'not removed': ({ node, textOf }) =>
    node.type === 'UnaryExpression' && node.operator === '!'
      ? replace(child(node, 'argument'), (argument) => `(${textOf(argument)})`, node)
      : [],
  'number changed': ({ node }) =>
    typeof node.value === 'number' && node.type === 'Literal'
      ? [node.value + 1, node.value - 1].map((value) => ({ ...spanOf(node), text: `(${value})` }))
      : [],
  'truth flipped': ({ node }) =>
    typeof node.value === 'boolean' && node.type === 'Literal'
      ? [{ ...spanOf(node), text: String(!node.value) }]
      : [],
  'text emptied': ({ node }) => {
    if (node.type === 'TemplateLiteral') return [{ ...spanOf(node), text: '``' }]
    const isFull = node.type === 'Literal' && typeof node.value === 'string' && node.value !== ''
    return isFull ? [{ ...spanOf(node), text: "''" }] : []
  },
  'anchor removed': ({ node, textOf }) => {
    const text = textOf(node)
    if (!('regex' in node)) return []
    const start = text.startsWith('/^') ? [text.replace('/^', '/')] : []
    const end = /\$\/[a-z]*$/.test(text) ? [text.replace(/\$(\/[a-z]*)$/, '$1')] : []
    return [...start, ...end].map((changed) => ({ ...spanOf(node), text: changed }))
  },
  'statement removed': ({ node }) =>
    ['ExpressionStatement', 'ThrowStatement'].includes(node.type)
      ? [{ ...spanOf(node), text: ';' }]
      : [],
  'property removed': ({ node, textOf }) =>
    node.type === 'ObjectExpression' ? withoutEach(node, 'properties', textOf, '{', '}') : [],
  'element removed': ({ node, textOf }) =>
    node.type === 'ArrayExpression' ? withoutEach(node, 'elements', textOf, '[', ']') : [],
  'optional chain cut': ({ node, textOf }) =>
    node.type === 'MemberExpression' && node.optional === true
      ? [{ ...spanOf(node), text: textOf(node).replace('?.', '.').replace('.[', '[') }]
      : [],
}

/** A field that is a node. */
export function child(node: SyntaxNode, field: string): SyntaxNode | undefined {
  const found = node[field]
  return isNode(found) ? found : undefined
}

/** Whether something in a tree is a node of it. */
export function isNode(found: unknown): found is SyntaxNode {
  return typeof found === 'object' && found !== null && 'type' in found && 'start' in found
}

function spanOf({ start, end }: SyntaxNode): Pick<Change, 'start' | 'end'> {
  return { start, end }
}

function replace(
  part: SyntaxNode | undefined,
  write: (part: SyntaxNode) => string,
  whole: SyntaxNode | undefined = part,
): readonly Omit<Change, 'operator'>[] {
  return part === undefined || whole === undefined ? [] : [{ ...spanOf(whole), text: write(part) }]
}

function isText(node: SyntaxNode): boolean {
  return node.type === 'TemplateLiteral' || typeof node.value === 'string'
}

/** A list once without each of its members. */
function withoutEach(
  node: SyntaxNode,
  field: string,
  textOf: (node: SyntaxNode) => string,
  open: string,
  close: string,
): readonly Omit<Change, 'operator'>[] {
  const list = node[field]
  const members = Array.isArray(list) ? list.filter(isNode) : []
  return members.map((removed) => {
    const others = members.filter((one) => one !== removed).map(textOf)
    return { ...spanOf(node), text: `${open}${others.join(', ')}${close}` }
  })
}
