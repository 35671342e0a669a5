import { describe, expect, it } from 'vitest'
import { findTarget } from '../../src/server/find-target.ts'

describe('findTarget()', () => {
  it.each([
    { target: '/v1/pets?limit=1', kind: 'api', url: '/v1/pets?limit=1' },
    { target: '/v1', kind: 'api', url: '/v1' },
    { target: '/v1?x', kind: 'api', url: '/v1?x' },
    { target: '/v1x/pets', kind: 'elsewhere', url: '/v1x/pets' },
    { target: '/', kind: 'elsewhere', url: '/' },
    { target: '', kind: 'elsewhere', url: '' },
    { target: '*', kind: 'elsewhere', url: '*' },
    { target: '//v1/pets', kind: 'elsewhere', url: '//v1/pets' },
    { target: '/_sandbox', kind: 'control', url: '/_sandbox' },
    { target: '/_sandbox?x=/v1', kind: 'control', url: '/_sandbox?x=/v1' },
    { target: '/_sandboxes/clock', kind: 'elsewhere', url: '/_sandboxes/clock' },
    { target: '/v1/_sandbox/clock', kind: 'api', url: '/v1/_sandbox/clock' },
    { target: '/sandboxes', kind: 'api', url: '/sandboxes' },
    { target: '/sandboxes/', kind: 'api', url: '/sandboxes/' },
    { target: '/sandboxes//v1', kind: 'api', url: '/sandboxes//v1' },
    { target: '/sandboxes/a/v1/pets?x', kind: 'api', name: 'a', url: '/v1/pets?x' },
    { target: '/sandboxes/a', kind: 'api', name: 'a', url: '' },
    { target: '/sandboxes/a?x', kind: 'api', name: 'a', url: '?x' },
    { target: '/sandboxes/a/_sandbox/clock', kind: 'control', name: 'a', url: '/_sandbox/clock' },
    { target: '/sandboxes/a/sandboxes/b/v1', kind: 'api', name: 'a', url: '/sandboxes/b/v1' },
    { target: '/sandboxesx/a', kind: 'elsewhere', url: '/sandboxesx/a' },
  ])('finds for $target the $kind, as $url', ({ target, kind, name, url }) => {
    expect(findTarget(target)).toEqual({ kind, name, url, local: target, authority: undefined })
    const absolute = `HTTP://store.example:80${target}`
    const inJournal = name === undefined && kind !== 'control' ? absolute : url
    // A URL ends its host where a path or query begins.
    if (!/^[/?]/.test(target)) return
    expect(findTarget(absolute)).toEqual({
      kind,
      name,
      url: inJournal,
      local: target,
      authority: 'store.example:80',
    })
  })

  it.each(['ftp://store.example/v1/pets', 'store.example:443', 'http:/v1/pets'])(
    'finds nothing for %s',
    (target) => {
      expect(findTarget(target)).toMatchObject({ kind: 'elsewhere', url: target })
    },
  )
})
