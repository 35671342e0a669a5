import { describe, expect, it } from 'vitest'
import { controlDescription } from '../../kit/control-description.ts'
import { controlHost } from '../../kit/control-host.ts'
import { linters } from '../../kit/lint-openapi.ts'

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
})
