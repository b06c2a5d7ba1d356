import { describe, expect, it } from 'vitest'
import { helpText, readCommandLine } from './options.ts'

const read = (...args: string[]) => readCommandLine(args, { root: '/batti', cwd: '/home/sita' })

describe('the command line', () => {
  it('needs no options', () => {
    expect(read()).toEqual({
      run: { data: '/batti/.batti', port: 49998, mqttPort: 8883, lan: false, empty: false, json: false, dev: false }
    })
  })

  it('accepts every option', () => {
    expect(read('--data', 'house', '--port=8080', '--mqtt-port', '0', '--lan', '--empty', '--json', '--dev')).toEqual({
      run: { data: '/home/sita/house', port: 8080, mqttPort: 0, lan: true, empty: true, json: true, dev: true }
    })
  })

  it('may choose any port, and free ones for both', () => {
    expect(read('--port', '65535', '--mqtt-port', '65534')).toMatchObject({ run: { port: 65_535, mqttPort: 65_534 } })
    expect(read('--port', '0', '--mqtt-port', '0')).toMatchObject({ run: { port: 0, mqttPort: 0 } })
    expect(read('--port', '65536')).toHaveProperty('fault')
  })

  it.each([
    [['--port', '1', '--mqtt-port', '1'], '--port and --mqtt-port are both 1: choose two.'],
    [['--prot', '80'], 'There is no option --prot. See npm start -- --help.'],
    [['house'], '“house” is no option. See npm start -- --help.'],
    [['--port', 'eighty'], '--port is a number from 0 to 65535, not “eighty”.'],
    [['--port', '70000'], '--port is a number from 0 to 65535, not “70000”.'],
    [['--mqtt-port', '1.5'], '--mqtt-port is a number from 0 to 65535, not “1.5”.'],
    [['--port', '8883'], '--port and --mqtt-port are both 8883: choose two.'],
    [['--port'], '--port needs a value. See npm start -- --help.'],
    [['--data='], '--data needs the name of a folder.'],
    [['--lan=yes'], '--lan takes no value.']
  ])('answers %j in one sentence', (args, fault) => {
    expect(read(...args)).toEqual({ fault })
  })

  it('explains every option', () => {
    expect(read('-h')).toEqual({ help: true })
    for (const option of ['--data', '--port', '--mqtt-port', '--lan', '--empty', '--json', '--help'])
      expect(helpText).toContain(`\n  ${option} `)
  })
})
