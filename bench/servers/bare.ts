import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Recording } from '../contestant-files.ts'

// What any server on Node costs at least: it answers the recorded replies, the very bytes, and does nothing else.
const [port, recordingPath] = process.argv.slice(2)
const recording: Recording = JSON.parse(readFileSync(recordingPath ?? '', 'utf8'))
const { list, create } = recording

createServer((req, res) => {
  if (req.method === 'GET') {
    res.writeHead(list.status, [...list.headerLines])
    res.end(list.body)
    return
  }
  const chunks: Buffer[] = []
  req.on('data', (chunk: Buffer) => chunks.push(chunk))
  req.on('end', () => {
    Buffer.concat(chunks).toString()
    res.writeHead(create.status, [...create.headerLines])
    res.end(create.body)
  })
}).listen(Number(port), '127.0.0.1')
