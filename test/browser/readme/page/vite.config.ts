import { msw } from 'msw/vite'
import { defineConfig } from 'vite'

export default defineConfig(({ command }) => ({
  plugins: command === 'serve' ? [msw({ mode: 'worker-only' })] : [],
}))
