/** Checks that comments, strings and documents use the words of the trade; those in code spans are exempt. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** Patterns that may not stand in a text, each with what to write instead. */
const words: readonly (readonly [RegExp, string])[] = [
  [/\brepl(?:y|ies|ied)\b/i, 'response'],
  [/\brefus(?:e|es|ed|al|als|ing)\b/i, 'reject, error response'],
  [/\bjournals?\b/i, 'request log'],
  [/\bcounterfactual/i, 'what-if'],
  [/\bverdicts?\b/i, 'result, finding'],
  [/\bpardon/i, 'unban'],
  [/\bused up\b/i, 'exhausted'],
  [/\b(?:nobody|somebody|whoever)\b/i, 'the client, the user'],
  [
    /\bthe interface (?:says|lists|leaves|allows|documents|describes|promises|guarantees)\b/i,
    'the spec',
  ],
  [/\bis one word too many\b/i, 'unexpected argument'],
]

/** Openings of a doc comment that have a noun or a verb instead. */
const clause = /^(?:What|Who|Whose|How|Where|When|Why|Which|Those|That)\b/

const root = join(import.meta.dirname, '..')

function filesOf(...patterns: readonly string[]): readonly string[] {
  const listed = execFileSync('git', ['ls-files', ...patterns], { cwd: root, encoding: 'utf8' })
  return listed.split('\n').filter(Boolean)
}

const problems: string[] = []

/** Notes the words of a text that have another word, by its line. */
function check(file: string, line: number, text: string, isComment: boolean): void {
  const plain = text.replace(/`[^`]*`|@param \w+/g, '')
  for (const [pattern, instead] of words) {
    const [found] = pattern.exec(plain) ?? []
    if (found !== undefined) problems.push(`${file}:${line}: found "${found}"; use ${instead}`)
  }
  const [opening] = (isComment && clause.exec(plain)) || []
  if (opening !== undefined) {
    problems.push(`${file}:${line}: a comment opens with "${opening}"; use a noun or a verb`)
  }
}

for (const file of filesOf('src/**/*.ts', 'src/**/*.tsx')) {
  const text = readFileSync(join(root, file), 'utf8')
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const lineAt = (place: number): number => source.getLineAndCharacterOfPosition(place).line + 1
  /** Starts of the comments that were checked: a node and its first child have the same ones. */
  const checked = new Set<number>()
  const visit = (node: ts.Node): void => {
    for (const { pos, end } of ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []) {
      const comment = text.slice(pos, end)
      if (!comment.startsWith('/**') || checked.has(pos)) continue
      checked.add(pos)
      const plain = comment.replace(/^\/\*\*\s*|\s*\*\/$/g, '').replace(/^\s*\* ?/gm, '')
      check(file, lineAt(pos), plain, true)
    }
    const isText =
      ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node)
    if (isText && node.text.includes(' ')) check(file, lineAt(node.getStart()), node.text, false)
    ts.forEachChild(node, visit)
  }
  visit(source)
}

for (const file of filesOf('*.md', ':!test/**')) {
  const text = readFileSync(join(root, file), 'utf8')
  const plain = text.replace(/^```[\s\S]*?^```$/gm, (block) => block.replace(/[^\n]/g, ''))
  plain.split('\n').forEach((line, index) => {
    check(file, index + 1, line, false)
  })
}

for (const problem of problems) process.stdout.write(`${problem}\n`)
if (problems.length > 0) process.exitCode = 1
