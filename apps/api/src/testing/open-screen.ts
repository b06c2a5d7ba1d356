import type { ClientEvent, ServerEvent } from '@batti/contracts'
import { until } from '@batti/kit/testing'
import { io, type Socket } from 'socket.io-client'

/** A connected browser or app. */
export interface Screen {
  socket: Socket
  send(event: ClientEvent, payload: unknown): Promise<Record<string, unknown> & { ok: boolean; code?: string }>
  /** Returns all events received so far under that name. */
  heard(event: ServerEvent): unknown[]
  /** Returns the first matching event, received already or later. */
  next(event: ServerEvent, matches?: (payload: never) => boolean): Promise<Record<string, unknown>>
}

/** `token`, `url`: in place of those of the person and the product. */
export interface ScreenOptions {
  token?: string
  origin?: string
  url?: string
  headers?: Record<string, string>
}

/** Connects a socket as a browser or an app does, and keeps all that it hears. @throws Error if it is refused. */
export async function openScreen(url: string, token: string, options: ScreenOptions): Promise<Screen> {
  const socket = io(options.url ?? url, {
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    auth: { token: options.token ?? token },
    extraHeaders: { ...options.headers, ...(options.origin === undefined ? {} : { origin: options.origin }) }
  })
  const all: { event: string; payload: unknown }[] = []
  socket.onAny((event: string, payload: unknown) => all.push({ event, payload }))
  await new Promise<void>((done, fail) => {
    socket.once('connect', () => done())
    socket.once('connect_error', fail)
  })
  return {
    socket,
    send: (event, payload) => socket.timeout(60_000).emitWithAck(event, payload),
    heard: (event) => all.filter((each) => each.event === event).map(({ payload }) => payload),
    async next(event, matches = () => true) {
      const heard = await until(`the screen hears ${event}`, () =>
        all.find((each) => each.event === event && matches(each.payload as never))
      )
      return heard.payload as Record<string, unknown>
    }
  }
}
