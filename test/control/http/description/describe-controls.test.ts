import { describe, expect, it } from 'vitest'
import { controlDocument } from '../../../../src/control/http/control-document.ts'
import { describeControls } from '../../../../src/control/http/description/describe-controls.ts'
import { allRoutes, controlRoutes } from '../../../../src/control/http/routes.ts'
import type { ProcessControls } from '../../../../src/control/sandboxes.ts'

const origin = 'http://localhost:4010'

const servers = [
  { url: `${origin}/_sandbox`, description: 'The sandbox that serves this description.' },
]

const process: ProcessControls = {
  sandboxes: {
    list: () => [],
    create: () => ({ name: '', baseUrl: '', controlUrl: '' }),
    delete() {},
  },
  save() {},
}

describe('describeControls()', () => {
  it.each([
    { host: 'a process', its: { origin, process }, routes: allRoutes },
    { host: 'a sandbox alone', its: { origin }, routes: controlRoutes },
  ])('describes what $host has, and nothing else', async ({ its, routes }) => {
    expect(await describeControls(its)).toEqual({ ...controlDocument(routes), servers })
  })
})
