/** Gives the gaps in `dist/types` the sentences of their rows as comments, with clause and default, which editors show. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gapDescriptions, gapNames, valuesText } from '../src/mock/api/gaps.ts'

const folder = join(import.meta.dirname, '../dist/types/mock/api/gaps')
const described = new Set<string>()

for (const file of globSync('*.d.ts', { cwd: folder })) {
  const text = readFileSync(join(folder, file), 'utf8')
  const withComments = text.replace(/^( {4})readonly (\w+): \{$/gm, (line, indent, property) => {
    const name = gapNames.find((one) => one === property)
    if (name === undefined) return line
    described.add(name)
    const { summary, spec } = gapDescriptions[name]
    const [value] = valuesText(gapDescriptions[name]).split(', ')
    return `${indent}/** ${summary} Default: \`${value}\` (spec ${spec}). */\n${line}`
  })
  writeFileSync(join(folder, file), withComments)
}

const missing = gapNames.filter((name) => !described.has(name))
if (missing.length > 0) throw new Error(`Cannot describe ${missing.join(', ')}: no declaration`)
