import { openScene } from './scene.ts';
import { answerCpuTime } from './serve.ts';

/** The whole app with one signed-in user, for a bench that forks it: sends its address, then its CPU time. */
const scene = await openScene();
const { headers } = await scene.signIn('Ada');
answerCpuTime({ port: Number(new URL(scene.url).port), path: '/v1/auth/me', headers });
