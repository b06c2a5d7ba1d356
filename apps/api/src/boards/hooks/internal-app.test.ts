import {
  internalHistoryPath,
  internalOutboxPath,
  internalPasswordMarksPath,
  mqttAuthBatchMax,
  mqttAuthBatchPath,
  mqttAuthPath,
  mqttRefusedPath,
  type MqttRefusal
} from '@batti/contracts'
import { pino } from 'pino'
import request from 'supertest'
import { describe, expect, it } from 'vitest'
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

it('shows the outbox of a demo to whoever knows the secret', async () => {
  const app = createInternalApp({
    secret,
    log: pino({ level: 'silent' }),
    answerMqttAuth: () => Promise.resolve({ result: 'allow' }),
    onMqttRefused: () => undefined,
    readOutbox: (to) => [{ id: '1', kind: 'mail', to, subject: 's', text: 't', at: 1 }]
  })
  await request(app).get(`${internalOutboxPath}?to=a@b.np`).expect(401, '')
  const answer = await request(app).get(`${internalOutboxPath}?to=a@b.np`).set('authorization', `Bearer ${secret}`)
  expect(answer.body).toEqual([expect.objectContaining({ to: 'a@b.np' })])
  const real = setUp().app
  await request(real).get(internalOutboxPath).set('authorization', `Bearer ${secret}`).expect(404)
})

it('tells marks of passwords to whoever knows the secret, and none in production', async () => {
  const app = createInternalApp({
    secret,
    log: pino({ level: 'silent' }),
    answerMqttAuth: () => Promise.resolve({ result: 'allow' }),
    onMqttRefused: () => undefined,
    passwordMarks: (emails) => Promise.resolve(new Map(emails.slice(1).map((email) => [email, `mark of ${email}`])))
  })
  const ask = (of: typeof app, body: object) =>
    request(of).post(internalPasswordMarksPath).set('authorization', `Bearer ${secret}`).send(body)
  await request(app).post(internalPasswordMarksPath).send({ emails: [] }).expect(401, '')
  await ask(app, { emails: ['a@b.np', 'c@b.np'] }).expect(200, { marks: { 'c@b.np': 'mark of c@b.np' } })
  await ask(app, { emails: 'a@b.np' }).expect(400)
  await ask(setUp().app, { emails: [] }).expect(404)
})

it('takes the history of a demo, and of nothing else', async () => {
  const received: unknown[] = []
  const app = createInternalApp({
    secret,
    log: pino({ level: 'silent' }),
    answerMqttAuth: () => Promise.resolve({ result: 'allow' }),
    onMqttRefused: () => undefined,
    writeHistory: (history) => Promise.resolve(void received.push(history))
  })
  const tell = (to: typeof app, body: object) =>
    request(to).post(internalHistoryPath).set('authorization', `Bearer ${secret}`).send(body)
  const history = {
    userName: 'Sita',
    changes: [{ deviceId: 'a'.repeat(24), switchIndex: 0, on: true, at: 1, by: 'user' }]
  }
  await tell(app, history).expect(200)
  await tell(app, { changes: 1 }).expect(400)
  expect(received).toEqual([history])
  await tell(setUp().app, history).expect(404)
  await request(app).post(internalHistoryPath).send(history).expect(401)
})

it.each([
  ['malformed JSON', '{bad'],
  ['a body beyond 16 KiB', JSON.stringify({ clientid: 'x'.repeat(20_000) })]
])('%s is a denial that tells nothing of the inside', async (_what, body) => {
  const { post } = setUp()
  await post(mqttAuthPath).type('json').send(body).expect(200, { result: 'deny' })
})

it('what is no question is a denial like any other', async () => {
  await setUp().post(mqttAuthPath).send({ clientid: {}, password: 1 }).expect(200, { result: 'deny' })
})

it('a failed check is a denial: an unknown status made a broker accept the board', async () => {
  const { post } = setUp(() => Promise.reject(new Error('the database is away')))
  await post(mqttAuthPath).send({ clientid: 'dev-1' }).expect(200, { result: 'deny' })
})

it('takes note of what the broker refused by itself', async () => {
  const { post, refused } = setUp()
  const refusal = { clientid: 'x', username: null, peerhost: '10.0.0.9', topic: '#', reason: 'topic', attempts: 2 }
  await post(mqttRefusedPath).send(refusal).expect(204)
  await post(mqttRefusedPath).send({ topic: 1 }).expect(400)
  expect(refused).toEqual([refusal])
})

describe('many questions at once', () => {
  const ask = (questions: unknown, answer?: Parameters<typeof setUp>[0]) =>
    setUp(answer)
      .post(mqttAuthBatchPath)
      .send(questions as object)

  it('are answered in their order; what is no question is a denial of its own', async () => {
    const answers = [{ result: 'allow' }, { result: 'deny' }] as const
    let turn = 0
    await ask([{ clientid: 'dev-1' }, { clientid: 7 }, { clientid: 'dev-2' }], () =>
      Promise.resolve(answers[turn++] ?? { result: 'deny' })
    ).expect(200, [{ result: 'allow' }, { result: 'deny' }, { result: 'deny' }])
  })

  it('one that could not be checked leaves the others their answers', async () => {
    let turn = 0
    await ask([{ clientid: 'dev-1' }, { clientid: 'dev-2' }], () =>
      turn++ === 0 ? Promise.reject(new Error('the database is away')) : Promise.resolve({ result: 'allow' })
    ).expect(200, [{ result: 'ignore' }, { result: 'allow' }])
  })

  it('may be as long as the longest that the broker gathers', async () => {
    const questions = Array.from({ length: mqttAuthBatchMax }, () => ({
      clientid: 'dev-1',
      password: '\u0001'.repeat(500)
    }))
    const allowed = questions.map(() => ({ result: 'allow' }))
    await ask(questions).expect(200, allowed)
  })

  it.each([
    ['no list', { clientid: 'dev-1' }],
    ['a list of nothing', []],
    ['a list that is longer than 256 KiB', [{ clientid: 'x'.repeat(300_000) }]],
    ['a list that is too long', Array.from({ length: mqttAuthBatchMax + 1 }, () => ({ clientid: 'dev-1' }))]
  ])('%s is refused as a whole', async (_what, questions) => {
    await ask(questions).expect(400)
  })

  it('nobody asks without the secret', async () => {
    await request(setUp().app).post(mqttAuthBatchPath).send([]).expect(401)
  })
})
