import { getMe } from '@sendlap/contract/auth.ts';
import { type BioInfo, getBioInfo, saveBioInfo, updateBioInfo } from '@sendlap/contract/bio-info.ts';
import { changePublicId } from '@sendlap/contract/friends.ts';
import { getSettings, type Settings, type User, updateSettings } from '@sendlap/contract/users.ts';
import { type FakeServer, Refusal } from './fake-server.ts';
import { bioInfoOf, settingsOf } from './signed-in.ts';

type BodyValues = Pick<BioInfo, 'age' | 'weight_kg' | 'height_cm' | 'male'>;

export const BODY: BodyValues = { age: 34, weight_kg: 61.5, height_cm: 170, male: false };

/**
 * The account of `user` as the server stores it: names, body data with its versions, settings. Without `body`, none was
 * saved yet. `changeBodyElsewhere` acts as another device.
 */
export class AccountModel {
  /** Public ids that other users have. */
  readonly taken = new Set<string>();
  readonly #server: FakeServer;
  #user: User;
  #body: BioInfo | null = null;
  #versions = 0;
  #settings: Settings;

  constructor(server: FakeServer, user: User, body: BodyValues | null = null) {
    this.#server = server;
    this.#user = user;
    this.#settings = settingsOf(user);
    if (body) this.#saveBody(body);
    this.#answerBody();
    this.#answerSettings();
    this.#answerIdentity();
  }

  user(): User {
    const { age, weight_kg, height_cm } = this.#body ?? { age: 0, weight_kg: 0, height_cm: 0 };
    return { ...this.#user, age, weight_kg, height_cm };
  }

  body(): BodyValues | null {
    if (!this.#body) return null;
    const { age, weight_kg, height_cm, male } = this.#body;
    return { age, weight_kg, height_cm, male };
  }

  settings(): Settings {
    return this.#settings;
  }

  /** Removes the display name, as after a sign-in by an identity provider that sent none. */
  forgetDisplayName(): void {
    this.#settings = { ...this.#settings, display_name: null };
  }

  changeBodyElsewhere(values: Partial<BodyValues>): void {
    this.#saveBody({ ...BODY, ...this.body(), ...values });
  }

  #answerBody(): void {
    this.#server.on(getBioInfo, () => this.#saved());
    this.#server.on(saveBioInfo, ({ body }) => {
      if (this.#body) throw new Refusal('bio_info_exists');
      return this.#saveBody(body);
    });
    this.#server.on(updateBioInfo, ({ body: { updated_at, ...changes } }) => {
      const saved = this.#saved();
      if (saved.updated_at !== updated_at) throw new Refusal('bio_info_changed');
      return this.#saveBody({ ...saved, ...(changes as Partial<BodyValues>) });
    });
  }

  #answerSettings(): void {
    this.#server.on(getSettings, () => this.#settings);
    this.#server.on(updateSettings, ({ body: { notifications, ...changes } }) => {
      const all = { ...this.#settings.notifications, ...notifications } as Settings['notifications'];
      this.#settings = { ...this.#settings, ...(changes as Partial<Settings>), notifications: all };
      this.#user = { ...this.#user, name: this.#settings.display_name ?? this.#user.name };
      return this.#settings;
    });
  }

  #answerIdentity(): void {
    this.#server.on(getMe, () => ({ user: this.user() }));
    this.#server.on(changePublicId, ({ body: { public_id } }) => {
      if (this.taken.has(public_id)) throw new Refusal('public_id_taken');
      this.#user = { ...this.#user, public_id };
      return { public_id };
    });
  }

  #saved(): BioInfo {
    if (!this.#body) throw new Refusal('bio_info_not_found');
    return this.#body;
  }

  #saveBody({ age, weight_kg, height_cm, male }: BodyValues): BioInfo {
    this.#versions += 1;
    const updated_at = new Date(Date.UTC(2026, 10, 20, 9, 0, this.#versions)).toISOString();
    this.#body = { ...bioInfoOf(this.#user), age, weight_kg, height_cm, male, updated_at };
    return this.#body;
  }
}
