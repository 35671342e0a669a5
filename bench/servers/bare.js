import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

// What a server on Node costs that answers with the sandbox's bytes: it replays the list that was recorded, and
// makes the reply to a POST from what was sent, under the next id, with the recorded headers. It looks nothing up,
// checks nothing and keeps nothing. In JavaScript, so that no Node has types to strip.
const [port, recordingPath] = process.argv.slice(2)
/** @type {import('../contestants.ts').Recording} */
const recording = JSON.parse(readFileSync(recordingPath, 'utf8'))
const { list, create } = recording
let lastId = JSON.parse(create.body).id

createServer((req, res) => {
  if (req.method === 'GET') {
    res.writeHead(list.status, [...list.headerLines])
    res.end(list.body)
    return
  }
  const chunks = []
  req.on('data', (chunk) => chunks.push(chunk))
  req.on('end', () => {
    const pet = JSON.parse(Buffer.concat(chunks).toString())
    const body = JSON.stringify({ id: ++lastId, ...pet })
    res.writeHead(create.status, withLength(create.headerLines, body))
    res.end(body)
  })
}).listen(Number(port), '127.0.0.1')

function withLength(recorded, body) {
  const lines = [...recorded]
  lines[lines.indexOf('Content-Length') + 1] = String(Buffer.byteLength(body))
  return lines
}
