import { describe, expect, it } from 'vitest'
import { gapSettings } from '../../../src/contract/gap-settings.ts'
import { gapNames } from '../../../src/contract/gaps.ts'
import { describeGaps } from '../../../src/contract/openapi/describe-gaps.ts'
import { gapDescriptions } from '../../../src/contract/openapi/gap-descriptions.ts'
import { gapView } from '../../../src/control/gaps.ts'

describe('describeGaps()', () => {
  it.each(gapNames)('says of a choice of %s what is left open, wherever it stands', (name) => {
    const schemas = [{ settings: gapSettings.describe() }, gapView.describe()]
    const told = JSON.stringify(describeGaps(schemas)).split(
      `"description":${JSON.stringify(gapDescriptions[name].about)}`,
    )
    expect(told).toHaveLength(3)
  })

  it('leaves all else as it is', () => {
    const schema = { type: 'array', items: [{ const: null }, 1, 'x-gap'] }
    expect(describeGaps(schema)).toEqual(schema)
    expect(JSON.stringify(describeGaps(gapSettings.describe()))).not.toContain('x-gap')
  })
})
