// @vitest-environment jsdom
import { sendByAxios, sendByFetch, sendByXhr, testDomAdapter } from '../../kit/dom-adapters.ts'

// The fetch in jsdom is Node's.
testDomAdapter('MSW in jsdom', sendByXhr, { fetch: sendByFetch, axios: sendByAxios })
