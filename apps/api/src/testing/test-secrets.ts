import { randomBytes } from 'node:crypto'

export const testSecrets = () => ({
  INTERNAL_SECRET: randomBytes(32).toString('hex'),
  JWT_SECRET: randomBytes(32).toString('hex'),
  MQTT_SERVICE_PASSWORD: randomBytes(32).toString('hex'),
  DATA_KEY: randomBytes(32).toString('base64')
})
