import { petstore } from 'petstore-sandbox/vite'
import { defineConfig } from 'vite'

export default defineConfig({ plugins: [petstore()] })
