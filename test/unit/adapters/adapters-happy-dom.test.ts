// @vitest-environment happy-dom
import { sendByAxios, sendByFetch, sendByXhr, testDomAdapter } from '../../kit/dom-adapters.ts'

testDomAdapter('MSW in happy-dom', sendByFetch, { XMLHttpRequest: sendByXhr, axios: sendByAxios })
