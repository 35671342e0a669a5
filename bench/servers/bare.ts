import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Recording } from '../contestant-files.ts'

// What a server on Node costs that answers with the sandbox's bytes: it replays the list that was recorded, and
// makes the reply to a POST from what was sent, under the next id, with the recorded headers. It looks nothing up,
// checks nothing and keeps nothing. With `replay`, it replays the recorded pet too, whatever was sent.
const [port, recordingPath, mode] = process.argv.slice(2)
const recording: Recording = JSON.parse(readFileSync(recordingPath ?? '', 'utf8'))
const { list, create } = recording
let lastId: number = JSON.parse(create.body).id

createServer((req, res) => {
  if (req.method === 'GET') {
    res.writeHead(list.status, [...list.headerLines])
    res.end(list.body)
    return
  }
  const chunks: Buffer[] = []
  req.on('data', (chunk: Buffer) => chunks.push(chunk))
  req.on('end', () => {
    const text = Buffer.concat(chunks).toString()
    const body = mode === 'replay' ? create.body : petFrom(text)
    res.writeHead(create.status, withLength(create.headerLines, body))
    res.end(body)
  })
}).listen(Number(port), '127.0.0.1')

function petFrom(text: string): string {
  return JSON.stringify({ id: ++lastId, ...JSON.parse(text) })
}

function withLength(recorded: readonly string[], body: string): string[] {
  const lines = [...recorded]
  lines[lines.indexOf('Content-Length') + 1] = String(Buffer.byteLength(body))
  return lines
}
