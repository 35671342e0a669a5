// What starting any server on Node costs. In JavaScript, so that no Node has types to strip.
import { createServer } from 'node:http'

createServer((_req, res) => res.end('hello')).listen(Number(process.argv[2]), '127.0.0.1')
