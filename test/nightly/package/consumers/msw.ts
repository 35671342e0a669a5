import { type HttpHandler, HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { createSandbox } from 'petstore-sandbox'
import { createHandlers, type MswOptions } from 'petstore-sandbox/msw'

const options: MswOptions = { baseUrl: ['https://api.shop.test/v1', '/v1'] }
const handlers: HttpHandler[] = createHandlers(createSandbox(), options)
const server = setupServer(...handlers)

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url, { headers: { Authorization: 'Bearer free-key' } })
  await response.text()
  return response.status
}

server.listen()
const first = await statusOf('https://api.shop.test/v1/pets')
server.use(http.get('*/v1/pets', () => HttpResponse.json([], { status: 299 })))
const overridden = await statusOf('https://api.shop.test/v1/pets')
server.close()
if (first !== 200 || overridden !== 299) {
  throw new Error(`Cannot handle through MSW: found ${first} and ${overridden}`)
}

// @ts-expect-error: there is no such option.
void (() => createHandlers(createSandbox(), { baseUrls: [] }))
