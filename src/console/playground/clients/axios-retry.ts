import axios from 'axios'
import axiosRetry from 'axios-retry'
import type { ClientTools } from '../client-tools.ts'

/** Lists pets with axios and axios-retry, both with default options. */
export async function axiosClient({ apiUrl, key, fetch, sleep, isRunning }: ClientTools) {
  const http = axios.create({ baseURL: apiUrl, adapter: 'fetch', env: { fetch } })
  axiosRetry(http)
  while (isRunning()) {
    try {
      await http.get('/pets', { headers: { Authorization: `Bearer ${key}` } })
    } catch (error) {
      if (!axios.isAxiosError(error)) throw error
    }
    await sleep(250)
  }
}
