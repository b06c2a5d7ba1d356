import { isLoopback } from '@batti/kit/address'
import { Router } from 'express'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { notFound } from '../app-error.ts'
import { isLoopbackHost } from '../http/addresses/own-hosts.ts'
import { outboxPage } from './outbox.page.ts'
import type { Outbox } from './outbox.ts'

/** `GET /dev/outbox`: HTML for people, JSON for programs. Mounted for demos only. */
export function outboxRouter(options: { outbox: Outbox; brand: string }): Router {
  const { outbox, brand } = options
  const asset = (name: string) => readFileSync(resolve(import.meta.dirname, 'static', name))
  const assets = {
    'outbox.css': { type: 'css', body: asset('outbox.css') },
    'outbox.js': { type: 'js', body: asset('outbox.js') }
  }
  const router = Router()
  router.use('/dev/outbox', (req, res, next) => {
    // Hidden from everything but a browser on this machine, and from pages of other host names that resolve to it.
    const isHere = isLoopback(req.socket.remoteAddress ?? '') && isLoopback(req.ip ?? '')
    if (!isHere || !isLoopbackHost(req.headers.host ?? '')) {
      next('router')
      return
    }
    res.setHeader('Cache-Control', 'no-store')
    next()
  })

  for (const [name, { type, body }] of Object.entries(assets)) {
    router.get(`/dev/outbox/${name}`, (_req, res) => {
      res.type(type).send(body)
    })
  }
  router.get('/dev/outbox', (req, res) => {
    const { to } = req.query
    const receiver = typeof to === 'string' ? to : ''
    const messages = outbox.list(receiver)
    // HTML only for clients that ask for it explicitly, so that scripts get JSON.
    if (req.accepts(['json', 'html']) === 'html') res.type('html').send(outboxPage(messages, receiver.trim(), brand))
    else res.json(messages)
  })
  router.get('/dev/outbox/:id', (req, res) => {
    const message = outbox.find(req.params.id)
    if (message?.html === undefined) throw notFound('Message')
    res.setHeader(
      'Content-Security-Policy',
      "default-src 'none'; style-src 'unsafe-inline'; sandbox allow-popups allow-top-navigation-by-user-activation"
    )
    res.type('html').send(message.html)
  })
  return router
}
