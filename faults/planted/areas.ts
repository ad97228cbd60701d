import { ACTIVITIES } from './areas/activities.ts';
import { BACKUPS } from './areas/backups.ts';
import { CHAT_SCREENS } from './areas/chat-screens.ts';
import { CHATS } from './areas/chats.ts';
import { DOMAIN } from './areas/domain.ts';
import type { Area } from './areas/fault.ts';
import { FRIEND_SCREENS } from './areas/friend-screens.ts';
import { LEADERBOARDS } from './areas/leaderboards.ts';
import { LOCAL_DATABASE } from './areas/local-database.ts';
import { OPERATING } from './areas/operating.ts';
import { OUTBOX } from './areas/outbox.ts';
import { PROFILE_SCREENS } from './areas/profile-screens.ts';
import { SESSIONS_AREA } from './areas/sessions.ts';
import { SHELL_SCREENS } from './areas/shell-screens.ts';
import { SPORT_CENTERS } from './areas/sport-centers.ts';
import { TABS_AREA } from './areas/tabs.ts';
import { TRAINING_SCREENS } from './areas/training-screens.ts';
import { WORKER_AREA } from './areas/worker.ts';

export const AREAS: readonly Area[] = [
  DOMAIN,
  OUTBOX,
  BACKUPS,
  SESSIONS_AREA,
  TABS_AREA,
  CHATS,
  LEADERBOARDS,
  ACTIVITIES,
  SPORT_CENTERS,
  LOCAL_DATABASE,
  WORKER_AREA,
  CHAT_SCREENS,
  FRIEND_SCREENS,
  SHELL_SCREENS,
  PROFILE_SCREENS,
  TRAINING_SCREENS,
  OPERATING,
];
