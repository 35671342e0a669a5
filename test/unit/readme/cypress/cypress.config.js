import { connectSandbox } from 'petstore-sandbox/client'

const sandbox = connectSandbox(process.env.PETSTORE_SANDBOX_URL)

export default {
  e2e: {
    baseUrl: 'http://localhost:5173',
    setupNodeEvents(on) {
      on('task', {
        reset: async () => (await sandbox.reset()) ?? null,
        exhaust: async (key) => await sandbox.keys.setRemaining(key, { minute: 0 }),
        advance: async (advance) => await sandbox.clock.update({ advance }),
      })
    },
  },
}
