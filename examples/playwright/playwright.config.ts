import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: 'tests',
  fullyParallel: true,
  use: { baseURL: `http://localhost:${process.env.PAGE_PORT}` },
  webServer: {
    // The page alone: there is nothing at the address of the API, the tests answer in its place.
    command: 'npx vite --port 0',
    cwd: fileURLToPath(new URL('../browser-msw', import.meta.url)),
    env: { VITE_API_URL: 'https://api.petstore.test/v1' },
    // Vite may write the port in bold.
    wait: { stdout: /localhost:(?:\S*m)?(?<page_port>\d+)/ },
  },
})
