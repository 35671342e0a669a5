import { describe, expect, it } from 'vitest'
import { controlDescription, controlsIn, jsonOf } from '../../kit/control-description.ts'
import { controlHost } from '../../kit/control-host.ts'
import { shapesIn } from '../../kit/shapes-in.ts'
import { textsIn } from '../../kit/texts-in.ts'

/** The description of a process's default sandbox. */
const description = await controlDescription(controlHost())

describe('control.openapi.json', () => {
  it('says to people what it said when that was last looked through', async () => {
    const text = `${textsIn(description).join('\n')}\n`
    await expect(text).toMatchFileSnapshot('control-texts.txt')
  })

  it('has the shapes and bounds that it had when those were last looked through', async () => {
    const { components } = description
    const inPlace = controlsIn(description).flatMap((control) => {
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
    const shapeless = controlsIn(description).flatMap(({ operationId, responses }) =>
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
    const statuses = controlsIn(description).flatMap(({ operationId, responses }) =>
      Object.keys(responses).map((status) => `${operationId} ${status}`),
    )
    expect(statuses.filter((one) => !/ [1-5]\d\d$/.test(one))).toEqual([])
  })
})
