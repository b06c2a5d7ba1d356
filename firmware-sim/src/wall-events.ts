import type { ServerResponse } from 'node:http'
import type { Fleet } from './fleet.ts'

/** Server-sent events: all boards when a page opens, then each changed board. */
export interface WallEvents {
  open(response: ServerResponse): void
  close(): void
}

/** Changes are batched for this long: a fleet under load changes thousands of times per second. */
const gatherMs = 40
const aliveMs = 25_000
const pagesMax = 32
/** A page with a larger backlog is disconnected; it reconnects by itself. */
const backlogMaxBytes = 4 * 1024 * 1024

export function createWallEvents(fleet: Fleet): WallEvents {
  const pages = new Set<ServerResponse>()
  const changed = new Set<string>()
  let gathering: NodeJS.Timeout | null = null

  function send(event: string, data: unknown): void {
    const text = `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
    for (const page of pages) {
      if (page.writableLength > backlogMaxBytes) page.destroy()
      else page.write(text)
    }
  }

  function flush(): void {
    gathering = null
    for (const mac of changed) {
      const board = fleet.find(mac)
      if (board === null) send('removed', { mac })
      else send('board', board.state())
    }
    changed.clear()
  }

  const undo = fleet.onChange((mac) => {
    if (pages.size === 0) return
    changed.add(mac)
    gathering ??= setTimeout(flush, gatherMs)
  })
  const alive = setInterval(() => {
    for (const page of pages) page.write(': alive\n\n')
  }, aliveMs)
  alive.unref()

  return {
    open(response) {
      if (pages.size >= pagesMax) {
        response.writeHead(503).end()
        return
      }
      response.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff'
      })
      pages.add(response)
      response.on('close', () => pages.delete(response))
      response.write(`event: boards\ndata: ${JSON.stringify(fleet.list().map((board) => board.state()))}\n\n`)
    },
    close() {
      undo()
      clearInterval(alive)
      if (gathering !== null) clearTimeout(gathering)
      for (const page of pages) page.end()
    }
  }
}
