import type { Controls } from '../../control/controls/controls.ts'
import type { RemoteOptions } from './remote-options.ts'
// placeholder until the client is there
export type Client = any
export async function connect(_options: RemoteOptions): Promise<Client> {
  throw new Error('no client yet')
}
export type X = Controls

export async function keysOf(_options: RemoteOptions): Promise<string[]> {
  return ['free-key', 'pro-key']
}
