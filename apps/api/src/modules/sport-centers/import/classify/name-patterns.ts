import { foldText } from '@sendlap/domain/names.ts';

/**
 * Words in names that reveal the kind of place, in the languages of the data. All are matched against `foldName` text
 * (lower case, no accents, single spaces). They are a last resort: tags come first, and a wrong word costs a place a
 * refusal that names it, never a silent loss.
 */
function wordPattern(...parts: string[]): RegExp {
  // Folds only non-ASCII text: folding `\\p{L}` would break it.
  const folded = parts.map((part) => part.replace(/[^\p{ASCII}]+/gu, foldText));
  return new RegExp(`(?:^| )(?:${folded.join('|')})(?= |$)`, 'u');
}

/** Ropes courses: visitors move between trees and platforms on ropes there, they do not climb. */
export const ROPES_COURSE = wordPattern(
  'ropes? (?:challenge )?(?:course|park|parcours|tower|adventure park|swing)',
  '(?:low|high) ropes?',
  'zip ?(?:line|wire).*',
  'c o p e',
  'cope',
  '(?:waldh|h)?och ?seil\\p{L}*(?: klettergarten)?',
  '\\p{L}*(?:kletterwald|waldseil|seilgarten|seilpark|hochseil|waldklettern|waldkletterpark|abenteuerpark)\\p{L}*',
  'kletter ?park',
  'parc(?:o)? (?:d )?(?:avventura|aventures?|accrobranche|acrobatico)(?: \\p{L}*)?',
  'parque (?:de )?(?:aventuras?|arbolismo|multiaventura)',
  'accro ?branches?',
  'park linowy',
  'lanov\\p{L}+ (?:park|centrum)',
  'lanpark',
  'lanac',
  'adventure ?(?:park|forest)',
  'monkey park',
  'jungle ?park',
  'go ape',
  'tree ?top.*',
  'touwparcours',
  'klimbos',
  'klimpark',
  'klatrepark',
  'seikkailupuisto',
  'веревочный парк',
);

/** Unmistakable natural rock: words that no hall uses in its name. */
export const NATURAL_SITE = wordPattern(
  '(?:falesia|falesie|falaises?|pilastro|pilastrino|placc\\p{L}*|avancorpo|bastionata)',
  'site (?:naturel )?d? ?escalade',
  '(?:zona|area|escuela|paret|sector) (?:de? )?escalada',
  'palestra (?:di|nella) roccia',
  '\\p{L}*kletterg(?:a|ae)rten',
  '\\p{L}*(?:boulderfels|klettergebiet|klettermassiv)\\p{L}*',
  '(?:settore|settori|rejon wspinaczkowy|plezalisce)',
);

/** Words of natural rock that halls borrow too; they count only without any other sign of a built place. */
export const CRAG = wordPattern(
  '(?:rocc[ah]e?|rocca|sass[oi]|sector|sectors|sectores|secteur|sektor|sett)',
  'crags?',
  '\\p{L}*kletterfels\\p{L}*',
  '\\p{L}*(?:felsen|fels|wandl|klippe|steinbruch)',
  '(?:roc|roche|rocher|rochers|carriere|gorges?|cluse|aiguille|massif|barre)',
  '(?:bric|gola|rupe|monte|antro|antri|grotta|cava|parete)',
  '(?:barranco|cueva|penya|pena|penon|cantera|serra|roca)',
  '(?:skala|skalka|skaly|skaliste|kamieniolom)',
  '(?:cliff|cliffs|quarry|boulderfield|bluff|outcrop|ledge|pinnacle|scar|edge|tor)',
  '(?:скала|скалы|скальный)',
  '\\p{L}*(?:berget|klippan|hammeren|veggen)',
);

export const VIA_FERRATA = wordPattern('via ferr?at[ae]', 'via ferrada', '\\p{L}*klettersteig\\p{L}*', 'vie ferrate');

/** A built climbing place: a hall, a gym, a club's wall. A wall alone is not enough: many are in playgrounds. */
export const BUILT_CLIMBING = wordPattern(
  '\\p{L}*(?:kletterhalle|boulderhalle|kletterzentrum|boulderzentrum|kletterarena|kletterraum|kletteranlage|kletterkirche|kletterwelt|boulderwelt|boulderhaus|boulderlounge|kletterhaus)\\p{L}*',
  '(?:boulder|kletter) (?:halle|zentrum|arena|haus|welt|gym|raum)',
  '\\p{L}*(?:klimhal|klimcentrum|klimzaal|boulderhal|bouldergym|klimhalle)\\p{L}*',
  '\\p{L}*(?:klatrehal|klatrecenter|klatresenter|klatterhall|klattercenter)\\p{L}*',
  '\\p{L}*(?:kiipeilykeskus|kiipeilyareena|kiipeilyhalli|boulderkeskus)\\p{L}*',
  '(?:climbing|bouldering|rock|boulder|indoor climbing)(?: and \\p{L}+| climbing)? (?:gym|centre|center|hall|studio|school|academy|arena|factory|hangar|house|works)',
  'indoor (?:rock )?climbing',
  'salle (?:d )?escalade',
  '(?:gymnase|sala|salle|polideportivo|poliesportiu|pabellon) (?:.* )?(?:escalade|escalada|arrampicata|boulder)',
  'centr[oe] (?:d )?(?:escalada|arrampicata|escalade)',
  '(?:rocodromo|rocodrom)',
  '(?:скалодром|скеледром|скелодром|боулдеринг центр)',
  'centrum wspinaczkow\\p{L}*',
  '(?:scianka|sciana) wspinaczkowa',
  'lezeck\\p{L}+ (?:centrum|stena|hala)',
  'horolezeck\\p{L}+ (?:centrum|stena|hala)',
  'plezalni center',
  'penjacki centar',
  'fal(?:maszo)? (?:terem|centrum)',
  '[\\p{L} ]*(?:クライミング|ボルダリング)(?:ジム|センター)[\\p{L} ]*',
  '\\p{L}*(?:攀岩馆|攀岩館|抱石馆|클라이밍)\\p{L}*',
);

/** Words of climbing itself; with `leisure=sports_centre` they indicate an artificial wall. */
export const CLIMBING_WORD = wordPattern(
  '(?:climbing|bouldering) (?:wall|tower|boulder|rock)',
  '^(?:climbing|bouldering)$',
  '(?:climb|climbs|escalade|escalada|arrampicata|boulders|bouldern|klettern|kletterwand|kletterturm|kletterraum)',
  '(?:muro?|pared|parede|paroi|parete) (?:.* )?(?:escalade|escalada|escalar|arrampicata)',
  '\\p{L}*(?:攀岩|ボルダリング|クライミング)\\p{L}*',
);

/** A built swimming place, in names of sports centers without a stated sport. */
export const BUILT_SWIMMING = wordPattern(
  '(?:piscinas?|piscines?|pileta|natatorio|natatorium|natacion|natacio)',
  '\\p{L}*(?:schwimmbad|hallenbad|freibad|schwimmhalle|schwimmzentrum|schwimmoper)',
  '\\p{L}*(?:svommehal|svommehallen|svommestadion|simhall|simhallen|badhuset|uimahalli|svommeanlegg)',
  'swimming (?:pool|baths?|centre|center|hall|stadium)',
  '(?:swim|aquatics?|swimming) (?:centre|center|facility|complex)',
  '\\p{L}*(?:zwembad|plywalnia|bazen|uszoda|бассейн|centre aquatique|stade nautique)',
);

/** Basins inside a bath: parts that are merged into the whole beside them. */
export const POOL_PART = wordPattern(
  '\\p{L}*(?:schwimmerbecken|planschbecken|babybecken|sprungbecken|wellenbecken|sportbecken|kinderbecken|aussenbecken|lehrbecken|becken)',
  '(?:kids|children s|childrens|baby|toddler|paddling|wading|diving|training|teaching|leisure|outdoor|indoor|main|lap) pool',
  '(?:petit|grand) bassin',
  'piscina (?:pequena|infantil|grande|exterior|interior|cubierta|olimpica)',
);

/** Names that only state the kind of place: alone they identify no place. */
export const BARE_SWIMMING = wordPattern('(?:swimming )?pool', 'piscinas?', 'piscine', 'schwimmbad');
export const BARE_CLIMBING = wordPattern(
  'climbing (?:wall|tower|gym)',
  'climbing',
  'bouldering(?: wall| gym)?',
  'boulder(?: halle)?',
  'boulderhalle',
  'kletter(?:wand|turm|halle|anlage)',
  'kletterhalle',
  'mur d escalade',
  'salle d escalade',
  'parete(?: d)? arrampicata',
  'rocodromo',
  'rocodrom',
  'скалодром',
  'klimwand',
  'klimmuur',
);

export const SPRAY_PARK = wordPattern('spray ?(?:park|ground|pad)', 'splash ?(?:pad|park)');
