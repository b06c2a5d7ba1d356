import { boardTypeCodes } from '@batti/contracts/board-types'
import { describe, expect, test } from 'vitest'
import { helpText, readCommandLine } from './cli.ts'

const run = (...args: string[]) => readCommandLine(args, '/home/sita')

describe('the command line', () => {
  test('reads the faults of updates, and the trusted keys', () => {
    expect(run('--faults', 'update=bad-image,ack-loss=0.3', '--trusted-keys', 'a.pem, /b.pem')).toMatchObject({
      run: { faults: { update: 'bad-image', ackLoss: 0.3 }, trustedKeys: ['/home/sita/a.pem', '/b.pem'] }
    })
    expect(run('--faults', 'update=wrong')).toMatchObject({
      faults: [expect.stringContaining('--faults')]
    })
  })

  test('without options starts one new board, with a wall, on this machine only', () => {
    expect(run()).toEqual({
      run: {
        boards: 0,
        fresh: 1,
        models: boardTypeCodes,
        account: null,
        app: null,
        flash: null,
        host: '127.0.0.1',
        wall: 0,
        setupPorts: 0,
        faults: {},
        trustedKeys: [],
        json: false
      }
    })
  })

  test('reads every option', () => {
    const args = [
      '--boards',
      '500',
      '--models',
      'bt4,BTF',
      '--api',
      'http://127.0.0.1:49998',
      '--email',
      'a@b.c',
      '--password',
      'secret1',
      '--flash',
      'x'
    ]
    const more = [
      '--wall',
      '49980',
      '--fresh',
      '3',
      '--setup-ports',
      '50000',
      '--host',
      '::1',
      '--json',
      '--faults',
      'latency-ms=200,ack-loss=0.3,silent,offline=false'
    ]
    expect(run(...args, ...more)).toMatchObject({
      run: {
        boards: 500,
        fresh: 3,
        models: ['BT4', 'BTF'],
        account: { email: 'a@b.c', password: 'secret1' },
        flash: '/home/sita/x',
        wall: 49980,
        setupPorts: 50000,
        host: '::1',
        json: true,
        faults: { latencyMs: 200, ackLoss: 0.3, silent: true, offline: false }
      }
    })
    expect(run('--no-wall')).toMatchObject({ run: { wall: null } })
    expect(run('--wall=80')).toMatchObject({ run: { wall: 80 } })
    expect(run('--wall')).toMatchObject({ run: { wall: 0 } })
  })

  test('with a folder of boards creates no board that was not requested', () => {
    expect(run('--flash', 'x')).toMatchObject({ run: { fresh: 0, boards: 0 } })
  })

  test('lists all errors at once', () => {
    const answer = run(
      '--boards',
      'many',
      '--models',
      'BT4,BT9',
      '--api',
      'ftp://x',
      '--email',
      'a',
      '--password',
      'b',
      '--faults',
      'gremlins=1'
    )
    expect(answer).toEqual({
      faults: [
        expect.stringContaining('--boards'),
        expect.stringContaining('--models'),
        expect.stringContaining('--api'),
        expect.stringContaining('--faults')
      ]
    })
    expect(run('--email', 'a')).toEqual({ faults: ['--api, --email and --password belong together.'] })
    expect(run('--faults', 'ack-loss=2')).toHaveProperty('faults')
    expect(run('--nonsense')).toHaveProperty('faults')
  })

  test('explains every option', () => {
    expect(run('--help', '--boards', 'x')).toEqual({ help: true })
    for (const option of [
      'boards',
      'fresh',
      'models',
      'flash',
      'api',
      'email',
      'password',
      'wall',
      'no-wall',
      'setup-ports',
      'host',
      'faults',
      'json',
      'help'
    ]) {
      expect(helpText).toContain(`--${option}`)
    }
  })
})
