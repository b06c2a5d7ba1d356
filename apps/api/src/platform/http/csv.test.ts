import { listActionLogs, listDeviceEvents, listFleetAttention, listRolloutTargets } from '@batti/contracts'
import compression from 'compression'
import express from 'express'
import supertest from 'supertest'
import { expect, test } from 'vitest'
import { csvCell, csvLine, sendCsv, wantsCsv } from './csv.ts'

test.each([
  ['plain', 'plain'],
  ['a "b", c', '"a ""b"", c"'],
  ['two\nlines', '"two\nlines"'],
  ['=1+1', "'=1+1"],
  ['+9779812345678', "'+9779812345678"],
  [-5, "'-5"],
  ['@here', "'@here"],
  [' =1+1', "' =1+1"],
  ['\u00a0@here', "'\u00a0@here"],
  ['\tcmd', "'\tcmd"],
  ['\r=1', '"\'\r=1"'],
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠here', "'＠here"],
  [' a = b', ' a = b'],
  ['a;=b; -1;c=1', "a;'=b;' -1;c=1"],
  ['=a,b', '"\'=a,b"'],
  [null, ''],
  [undefined, ''],
  [true, 'true'],
  [{ _id: 'x', name: 'Sita' }, '"{""_id"":""x"",""name"":""Sita""}"']
])('%j is written as %s', (value, cell) => {
  expect(csvCell(value)).toBe(cell)
})

test.each([
  ['text/csv', true],
  ['Text/CSV; charset=utf-8', true],
  ['text/csv, */*', true],
  ['text/csv, application/json;q=0.9', true],
  ['application/json, text/csv;q=0.1', false],
  ['text/csv;q=0, */*', false],
  ['*/*', false],
  ['application/json, text/plain, */*', false]
])('a list is a table for a client that accepts %s: %s', async (accept, isTable) => {
  const server = express()
  server.get('/', (req, res) => void res.json(wantsCsv(listActionLogs, req)))
  expect((await supertest(server).get('/').set({ accept })).body).toBe(isTable)
})

test('lines end as RFC 4180 says', () => {
  expect(csvLine(['a', 1])).toBe('a,1\r\n')
})

test('a list without a count is read until a page is not full', async () => {
  const all = Array.from({ length: 1100 }, (_, index) => ({
    device: { _id: `board ${index}` },
    reason: 'weak',
    since: null,
    online24h: []
  }))
  const server = express()
  server.get('/', async (_req, res) => {
    await sendCsv(listFleetAttention, res, ({ page, limit }) =>
      Promise.resolve({ boards: all.slice((page - 1) * limit, page * limit) })
    )
  })
  const { text } = await supertest(server).get('/').expect(200)
  expect(text.trimEnd().split('\r\n')).toHaveLength(1 + all.length)
})

test('a list that grows while it is read has each of its rows once', async () => {
  let all = Array.from({ length: 1100 }, (_, index) => ({ _id: `row ${index}` }))
  const server = express()
  server.get('/', async (_req, res) => {
    await sendCsv(listActionLogs, res, ({ page, limit }) => {
      const logs = all.slice((page - 1) * limit, page * limit)
      const total = all.length
      all = [{ _id: `newer than page ${page}` }, { _id: `newest of page ${page}` }, ...all]
      return Promise.resolve({ logs, total, totalPages: Math.ceil(total / limit) })
    })
  })
  const { text } = await supertest(server).get('/').expect(200)
  const ids = text.trimEnd().split('\r\n').slice(1)
  expect(ids.map((line) => line.split(',')[0])).toEqual(Array.from({ length: 1100 }, (_, index) => `row ${index}`))
})

test.each([
  [listDeviceEvents, (index: number) => ({ at: new Date(index), kind: 'online', detail: null })],
  [listRolloutTargets, (index: number, percent: number) => ({ deviceId: `board ${index}`, percent })]
])('a list whose rows have no id of their own has each once, too: $path', async (route, rowOf) => {
  let newest = 1100
  const server = express()
  server.get('/', async (_req, res) => {
    await sendCsv(route, res, ({ page, limit }) => {
      const all = Array.from({ length: newest }, (_, index) => rowOf(newest - index, page))
      newest += 2
      return Promise.resolve({ [route.rows ?? '']: all.slice((page - 1) * limit, page * limit) })
    })
  })
  const { text } = await supertest(server).get('/').expect(200)
  expect(text.trimEnd().split('\r\n')).toHaveLength(1 + 1100)
})

test('each page names the last row before it', async () => {
  const all = Array.from({ length: 1100 }, (_, index) => ({ _id: `row ${index}` }))
  const asked: unknown[] = []
  const server = express()
  server.get('/', async (_req, res) => {
    await sendCsv(listActionLogs, res, ({ limit, after }) => {
      asked.push(after?._id ?? null)
      const from = all.findIndex(({ _id }) => _id === after?._id) + 1
      return Promise.resolve({ logs: all.slice(from, from + limit) })
    })
  })
  const { text } = await supertest(server).get('/').expect(200)
  expect(text.trimEnd().split('\r\n')).toHaveLength(1 + all.length)
  expect(asked).toEqual([null, 'row 499', 'row 999'])
})

test('a long table adds no listener to its answer for each page', async () => {
  const description = 'x'.repeat(100)
  const all = Array.from({ length: 9500 }, (_, index) => ({ _id: `row ${index}`, description }))
  const listeners: number[] = []
  const server = express().use(compression())
  server.get('/', async (_req, res) => {
    await sendCsv(listActionLogs, res, ({ page, limit }) => {
      listeners.push(res.listenerCount('close') + res.listenerCount('error'))
      return Promise.resolve({ logs: all.slice((page - 1) * limit, page * limit), total: all.length, totalPages: 19 })
    })
  })
  const { text } = await supertest(server).get('/').expect(200)
  expect(text.trimEnd().split('\r\n')).toHaveLength(1 + all.length)
  expect(listeners).toHaveLength(19)
  expect(listeners.at(-1)).toBe(listeners[2])
})
