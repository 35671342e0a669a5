import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import express, { type Request, type RequestHandler, type Response } from 'express'
import { InputError } from '../../input/input-error.ts'
import { show } from '../../input/show.ts'
import { findTarget } from '../find-target.ts'
import { writeError } from '../write-error.ts'

/**
 * Serves the files of a folder beside the API; pages that it doesn't have get its `index.html`.
 *
 * @throws {@link InputError} if there is no such folder.
 */
export function serveFolder(folder: string): RequestHandler {
  const root = resolve(folder)
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new InputError(
      `Cannot set staticFolder: found ${show(folder)}, which is not a folder; use the path of one`,
      ['staticFolder'],
    )
  }
  const files = express.static(root)
  return (req, res, next) => {
    const isRead = req.method === 'GET' || req.method === 'HEAD'
    if (!isRead || findTarget(req.url).kind !== 'elsewhere') {
      next()
      return
    }
    res.sendDate = true
    files(req, res, (error?: unknown) => {
      if (error !== undefined) next(error)
      else if (isPage(req)) sendIndex(root, res)
      else sendMissing(res)
    })
  }
}

/** Whether a browser asks for a page, whose path a client's router may know. */
function isPage({ path, headers: { accept = '' } }: Request): boolean {
  // A dot is a file's ending, or hides a file.
  const isFile = /\/\.|\.[^/]*$/.test(path)
  return !isFile && accept.includes('text/html')
}

function sendIndex(root: string, res: Response): void {
  res.vary('Accept')
  res.sendFile('index.html', { root }, (error?: Error) => {
    if (error !== undefined && !res.headersSent) sendMissing(res)
  })
}

function sendMissing(res: Response): void {
  writeError(res, 404, 'Cannot find the file: the static folder has none of this name')
}
