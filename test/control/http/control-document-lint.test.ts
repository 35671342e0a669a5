import { describe, expect, it } from 'vitest'
import { controlDescription, controlsIn, jsonOf } from '../../kit/control-description.ts'
import { controlHost } from '../../kit/control-host.ts'
import { linters } from '../../kit/lint-openapi.ts'
import { shapesIn } from '../../kit/shapes-in.ts'
import { textsIn } from '../../kit/texts-in.ts'

const { process: _process, ...named } = controlHost({
  origin: 'http://sandbox.test/sandboxes/mine',
})

/** The description of a process's default sandbox, and that of a named one. */
const descriptions = {
  default: await controlDescription(controlHost()),
  named: await controlDescription(named),
}

describe('control.openapi.json', () => {
  it.each(linters)('passes $linter', async ({ lint }) => {
    expect(await lint(descriptions.default)).toEqual([])
  })

  it.each(linters)('passes $linter for a named sandbox', async ({ lint }) => {
    expect(await lint(descriptions.named)).toEqual([])
  })

  it('says to people what it said when that was last looked through', async () => {
    const text = `${textsIn(descriptions.default).join('\n')}\n`
    await expect(text).toMatchFileSnapshot('control-texts.txt')
  })

  it('has the shapes and bounds that it had when those were last looked through', async () => {
    const { components } = descriptions.default
    const inPlace = controlsIn(descriptions.default).flatMap((control) => {
      const { operationId, parameters, requestBody, responses } = control
      const parts = [
        ...parameters.map(({ name, in: place, schema }) => [`${place} ${name}`, schema] as const),
        ['body', jsonOf(requestBody)] as const,
        ...Object.entries(responses).map(([status, one]) => [status, jsonOf(one)] as const),
      ]
      return parts.flatMap(([name, schema]) =>
        schema === undefined ? [] : [...shapesIn(schema, `${operationId} ${name}`)],
      )
    })
    const named = Object.entries(components.schemas).flatMap(([name, schema]) => [
      ...shapesIn(schema, name),
    ])
    const text = `${[...inPlace, ...named].join('\n')}\n`
    await expect(text).toMatchFileSnapshot('control-shapes.txt')
  })

  it('gives a shape for each JSON body of a reply', () => {
    const shapeless = controlsIn(descriptions.default).flatMap(({ operationId, responses }) =>
      Object.entries(responses)
        .filter(([, { content }]) => {
          const json = content?.['application/json']
          return json !== undefined && Object.keys(json.schema).length === 0
        })
        .map(([status]) => `${operationId} ${status}`),
    )
    expect(shapeless).toEqual([])
  })

  it('names its refusals by status, since generators write a range such as 4XX as a number', () => {
    const statuses = controlsIn(descriptions.default).flatMap(({ operationId, responses }) =>
      Object.keys(responses).map((status) => `${operationId} ${status}`),
    )
    expect(statuses.filter((one) => !/ [1-5]\d\d$/.test(one))).toEqual([])
  })
})
