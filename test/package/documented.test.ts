import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { gapDescriptions, gapNames } from '../../src/mock/spec/gaps.ts'
import { expectFreshBuild } from '../kit/expect-fresh-build.ts'

expectFreshBuild()

const types = fileURLToPath(new URL('../../dist/types/', import.meta.url))

/** What users type, by the file that declares it: settings and controls. */
const typed = {
  'mock/state/beginning.d.ts': ['SandboxOptions', 'SharedSandboxOptions', 'Seed'],
  'mock/faults/fault-rules.d.ts': ['FaultSettings'],
  'mock/spec/gaps.d.ts': ['GapSettings'],
  'mock/spec/pet.d.ts': ['PetSettings', 'PetChange'],
  'mock/state/keys.d.ts': ['KeySettings', 'NewKey'],
  'mock/controls/keys.d.ts': ['KeyChange', 'KeyControls', 'KeyView'],
  'mock/controls/pets.d.ts': ['PetControls'],
  'mock/controls/faults.d.ts': ['FaultControls'],
  'mock/controls/clock.d.ts': ['ClockControls'],
  'mock/controls/controls.d.ts': ['Controls'],
  'mock/controls/scenarios.d.ts': ['ScenarioOptions'],
  'mock/controls/requests.d.ts': ['RequestQuery'],
  'mock/controls/sandboxes.d.ts': ['NewSandbox'],
  'mock/spec/message.d.ts': ['ApiRequest', 'Outcome'],
  'mock/spec/error.d.ts': ['ErrorBody'],
  'checks/audit/finding.d.ts': ['Finding', 'FindingOptions'],
  'checks/calibrate/calibrate.d.ts': ['CalibrateOptions', 'Calibration'],
  'server/start-server.d.ts': ['ServerOptions'],
  'mock/seed/generate-pets.d.ts': ['GenerateOptions'],
} as const

const program = ts.createProgram(
  Object.keys(typed).map((file) => types + file),
  {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    strict: true,
    skipLibCheck: true,
    types: ['node'],
  },
)
const checker = program.getTypeChecker()

function typeOf(file: string, name: string): ts.Type {
  const source = program.getSourceFile(types + file)
  const exported = checker.getExportsOfModule(
    checker.getSymbolAtLocation(source as ts.SourceFile) as ts.Symbol,
  )
  const found = exported.find((one) => one.name === name)
  if (found === undefined) throw new Error(`Cannot find ${name} in ${file}`)
  return checker.getDeclaredTypeOfSymbol(found)
}

/** The properties of a type and of what is in it, by path, with what an editor shows of each. */
function documentation(type: ts.Type, path: string, seen = new Set<ts.Type>()): [string, string][] {
  if (type.isUnionOrIntersection()) {
    return type.types.flatMap((one) => documentation(one, path, seen))
  }
  if (checker.isArrayType(type)) {
    const [item] = checker.getTypeArguments(type as ts.TypeReference)
    return item === undefined ? [] : documentation(item, `${path}[]`, seen)
  }
  const isOurs = type.getProperties().some(isDeclaredHere)
  if (!(type.flags & ts.TypeFlags.Object) || !isOurs || seen.has(type)) return []
  seen.add(type)
  const shown = type.getProperties().filter(({ name }) => !name.includes('#'))
  return shown.flatMap((property): [string, string][] => {
    const name = `${path}.${property.name}`
    const text = ts.displayPartsToString(property.getDocumentationComment(checker))
    const own = checker.getTypeOfSymbol(property)
    return [[name, text], ...documentation(own, name, seen)]
  })
}

function isDeclaredHere({ declarations = [] }: ts.Symbol): boolean {
  return declarations.some((one) => one.getSourceFile().fileName.startsWith(types))
}

describe('what an editor shows', () => {
  it.each(Object.entries(typed).flatMap(([file, names]) => names.map((name) => ({ file, name }))))(
    'documents every property of $name',
    ({ file, name }) => {
      const all = documentation(typeOf(file, name), name)
      expect(all.length).toBeGreaterThan(0)
      expect(all.flatMap(([path, text]) => (text === '' ? [path] : []))).toEqual([])
    },
  )

  it.each(['whatIf', 'capture'])('marks %s() as experimental', (name) => {
    const control = typeOf('mock/controls/controls.d.ts', 'Controls').getProperty(name)
    const tags = control?.getJsDocTags(checker) ?? []
    const texts = tags.map((tag) => `${tag.name}: ${ts.displayPartsToString(tag.text)}`)
    expect(texts).toContainEqual(expect.stringMatching(/^experimental: .* in a minor version/))
  })

  it.each(gapNames)('says of the gap %s what the documents say', (name) => {
    const shown = new Map(documentation(typeOf('mock/spec/gaps.d.ts', 'GapSettings'), 'gaps'))
    const text = shown.get(`gaps.${name}`)?.replaceAll('\n', ' ')
    expect(text).toBe(gapDescriptions[name].summary)
  })
})
