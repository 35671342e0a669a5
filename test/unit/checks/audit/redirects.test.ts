import { describeRules } from '../../../kit/rule-cases.ts'
import type { StoryStep } from '../../../kit/story.ts'

const moved: StoryStep = { url: '/v1/pets/?limit=5', status: 308, code: 'moved' }
const movedPost: StoryStep = {
  url: '/v1/pets/',
  json: '{"name":"Rex","categoryId":1}',
  status: 301,
  code: 'moved',
}
const keyless: StoryStep = { key: '', status: 401, code: 'unauthorized', after: 1 }
const asGet: StoryStep = { url: '/v1/pets', after: 1 }

describeRules([
  {
    rule: 'error redirect-lost-authorization',
    found: [
      { why: 'the same request without its key', story: [moved, keyless] },
      { why: 'the same over HTTP', story: [moved, keyless], adapter: 'server' },
    ],
    not: [
      { why: 'the same request with its key', story: [moved, { after: 1 }] },
      { why: 'another request without a key', story: [moved, { ...keyless, url: '/v1/pets' }] },
      { why: 'no redirect', story: [{ url: '/v1/pets/?limit=5', status: 404 }, keyless] },
      { why: 'a redirect that came later', story: [keyless, moved] },
      { why: 'a reset between', story: [moved, { mark: 'reset' }, keyless] },
    ],
  },
  {
    rule: 'info redirect-lost-authorization',
    found: [
      { why: 'what another client may have sent', story: [moved, { after: 1 }, keyless] },
      {
        why: 'what came over another connection',
        story: [moved, { ...keyless, connection: 2 }],
        adapter: 'server',
      },
    ],
    not: [],
  },
  {
    rule: 'info redirect-changed-method',
    found: [
      { why: 'a GET where a POST was redirected', story: [movedPost, asGet] },
      { why: 'the same over HTTP', story: [movedPost, asGet], adapter: 'server' },
    ],
    not: [
      { why: 'a POST again', story: [movedPost, { ...movedPost, url: '/v1/pets', status: 201 }] },
      { why: 'another list', story: [movedPost, { after: 1 }] },
      { why: 'a request between', story: [movedPost, { url: '/v1/pets/1' }, asGet] },
      { why: 'a redirected GET', story: [{ ...moved, url: '/v1/pets/' }, asGet] },
    ],
  },
  {
    rule: 'warning redirect-changed-method',
    before: 'info redirect-changed-method',
    found: [{ why: 'the same twice', story: [movedPost, asGet, movedPost, asGet] }],
    not: [],
  },
])
