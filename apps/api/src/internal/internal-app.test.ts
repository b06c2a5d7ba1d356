import { mqttAuthPath, mqttRefusedPath, type MqttRefusal } from '@batti/contracts'
import { pino } from 'pino'
import request from 'supertest'
import { expect, it } from 'vitest'
import { createInternalApp } from './internal-app.ts'

const secret = 's'.repeat(32)
function setUp(answer: () => Promise<{ result: 'allow' | 'deny' }> = () => Promise.resolve({ result: 'allow' })) {
  const refused: MqttRefusal[] = []
  const app = createInternalApp({
    secret,
    log: pino({ level: 'silent' }),
    answerMqttAuth: answer,
    onMqttRefused: (refusal) => void refused.push(refusal)
  })
  const post = (path: string) => request(app).post(path).set('authorization', `Bearer ${secret}`)
  return { app, post, refused }
}

it('answers the broker, and nobody without the secret', async () => {
  const { app, post } = setUp()
  await post(mqttAuthPath).send({ clientid: 'dev-1' }).expect(200, { result: 'allow' })
  await request(app).post(mqttAuthPath).send({ clientid: 'dev-1' }).expect(401, '')
  await request(app).post(mqttAuthPath).set('authorization', 'Bearer wrong').send({}).expect(401, '')
})

it.each([
  ['malformed JSON', '{bad'],
  ['a body beyond 16 KiB', JSON.stringify({ clientid: 'x'.repeat(20_000) })]
])('%s is a denial that tells nothing of the inside', async (_what, body) => {
  const { post } = setUp()
  await post(mqttAuthPath).type('json').send(body).expect(400, { result: 'deny' })
})

it('what is no question is a denial like any other', async () => {
  await setUp().post(mqttAuthPath).send({ clientid: {}, password: 1 }).expect(200, { result: 'deny' })
})

it('a check that failed is no denial: the board is told to come later', async () => {
  const { post } = setUp(() => Promise.reject(new Error('the database is away')))
  await post(mqttAuthPath).send({ clientid: 'dev-1' }).expect(503, { result: 'ignore' })
})

it('takes note of what the broker refused by itself', async () => {
  const { post, refused } = setUp()
  const refusal = { clientid: 'x', username: null, peerhost: '10.0.0.9', topic: '#', reason: 'topic', attempts: 2 }
  await post(mqttRefusedPath).send(refusal).expect(204)
  await post(mqttRefusedPath).send({ topic: 1 }).expect(400)
  expect(refused).toEqual([refusal])
})
