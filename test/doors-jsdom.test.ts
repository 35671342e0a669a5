// @vitest-environment jsdom
import { sendByAxios, sendByFetch, sendByXhr, testDomDoor } from './kit/dom-doors.ts'

// The fetch in jsdom is Node's.
testDomDoor('MSW in jsdom', sendByXhr, { fetch: sendByFetch, axios: sendByAxios })
