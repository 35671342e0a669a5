import { readFileSync } from 'node:fs'
import express from 'express'

// What Express costs as one uses it: no authentication, no quota, no validation.
const [port, petsPath] = process.argv.slice(2)
const pets = JSON.parse(readFileSync(petsPath ?? '', 'utf8'))
let id = pets.length

const app = express()
app.get('/v1/pets', (req, res) => {
  res.json(pets.slice(0, Number(req.query.limit)))
})
app.post('/v1/pets', express.json(), (req, res) => {
  const pet = { id: ++id, ...req.body }
  pets.push(pet)
  res.status(201).json(pet)
})
app.listen(Number(port), '127.0.0.1')
