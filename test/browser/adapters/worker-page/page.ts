import { http } from 'msw'
import { startWorker } from '../../../../src/adapters/msw-worker.ts'
import { mountPanel } from '../../../../src/console/panel/mount-panel.ts'
import { createSandbox } from '../../../../src/sandbox/sandbox.ts'

/** What a test calls in the page. */
export const parts = { createSandbox, http, mountPanel, startWorker }

Object.assign(globalThis, { parts })
