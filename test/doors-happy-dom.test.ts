// @vitest-environment happy-dom
import { sendByAxios, sendByFetch, sendByXhr, testDomDoor } from './kit/dom-doors.ts'

testDomDoor('MSW in happy-dom', sendByFetch, { XMLHttpRequest: sendByXhr, axios: sendByAxios })
