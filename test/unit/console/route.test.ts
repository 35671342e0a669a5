import { describe, expect, it } from 'vitest'
import { linkTo, parseRoute } from '../../../src/console/model/route.ts'

describe('parseRoute()', () => {
  it.each([
    { hash: '', path: [], query: '' },
    { hash: '#/requests', path: [], query: '' },
    { hash: '#/requests/12?search=a%20b', path: ['12'], query: 'search=a+b' },
    { hash: '#/nowhere/1', path: [], query: '' },
    { hash: '#/requests/%zz/?', path: ['%zz'], query: '' },
    { hash: '#/requests/a%2Fb?x=1?2', path: ['a/b'], query: 'x=1%3F2' },
  ])('reads "$hash"', ({ hash, path, query }) => {
    const route = parseRoute(hash)
    expect({ ...route, query: route.query.toString() }).toEqual({
      place: 'requests',
      path,
      query,
    })
  })

  it('reads what linkTo() writes', () => {
    const route = parseRoute(linkTo('requests', ['a/b', 2], { search: '#?&ä' }))
    expect(route.path).toEqual(['a/b', '2'])
    expect(route.query.get('search')).toBe('#?&ä')
  })
})
