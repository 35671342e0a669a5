import { expect } from 'vitest'
import type { Sandbox } from '../../src/sandbox.ts'
import { send } from '../kit/send.ts'

/** The ids that a list gives. */
export async function idsOf(sandbox: Sandbox, query: string): Promise<number[]> {
  const reply = await send(sandbox, { url: `/v1/pets?${query}` })
  expect(reply.status).toBe(200)
  return (JSON.parse(reply.body) as { id: number }[]).map(({ id }) => id)
}

/** What a refusal with 400 says. */
export async function messageOf(sandbox: Sandbox, url: string): Promise<string> {
  const reply = await send(sandbox, { url })
  expect(reply.status).toBe(400)
  return (JSON.parse(reply.body) as { message: string }).message
}
