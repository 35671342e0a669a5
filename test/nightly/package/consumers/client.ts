import {
  type ConnectOptions,
  connectSandbox,
  InputError,
  NotFoundError,
  RemoteError,
  type SandboxClient,
} from 'petstore-sandbox/client'

const options: ConnectOptions = { sandbox: 'mine', token: 'secret' }
// No fetch goes to this port.
const client: SandboxClient = connectSandbox('http://127.0.0.1:9/v1', options)
const error: unknown = await client.clock.advance('61s').catch((reason: unknown) => reason)
if (!(error instanceof RemoteError) || error.reason !== 'unreachable') {
  throw new Error(`Cannot expect an answer: found ${String(error)}`)
}
const rejection: unknown = await client.keys.get('..').catch((reason: unknown) => reason)
if (!(rejection instanceof NotFoundError && rejection instanceof InputError)) {
  throw new Error(`Cannot expect a key: found ${String(rejection)}`)
}

// @ts-expect-error: a speed is a number.
void (() => client.clock.setSpeed('60'))
// @ts-expect-error: a query of the pets needs a function, which no request carries.
void (() => client.pets.query())
