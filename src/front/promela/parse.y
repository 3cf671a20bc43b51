/* SPDX-License-Identifier: Apache-2.0 */
/* The grammar of Promela as SPIN 6.5 reads it. The stream of tokens (stream.c) has expanded the
   inlines and put in the semicolons that may be left out. It builds the tree of ast.h and recovers at
   separators, closing braces and the words that begin a unit. */
%require "3.6"
%define api.pure full
%define api.prefix {pml_yy}
%define api.token.prefix {PML_}
%define api.location.type {struct span}
%define parse.error custom
%define parse.lac full
%locations
%parse-param {struct pml_build *b}
%lex-param {struct pml_build *b}

%code requires {
#include "front/promela/build.h"
}

%code {
// The nesting the parser takes before it says "nested too deeply".
#define YYMAXDEPTH 20000
#define YYLLOC_DEFAULT(at, rhs, n) ((at) = n ? pml_span(&YYRHSLOC(rhs, 1), &YYRHSLOC(rhs, n)) : pml_span_behind(&YYRHSLOC(rhs, 0)))

#include "base/expected.h"

static int pml_yylex(YYSTYPE *value, struct span *at, struct pml_build *b);
static void pml_yyerror(struct span *at, struct pml_build *b, const char *text);
}

%union {
  const char *text;
  int64_t number;
  struct {
    const char *text, *label;
  } c;
  struct ast_expr *expr;
  struct pml_exprs *exprs;
  struct pml_names *names;
  struct ast_type type;
  struct pml_types *types;
  struct ast_channel *channel;
  struct ast_decl *decl;
  struct ast_stmt *stmt;
  struct ast_option *option;
  struct ast_unit *unit;
  bool flag;
}

%token EOF 0 "the end of the file"
%token GIVEN "an expression by itself" /* the first token when that is the text */
%token CALL "a call of an inline" /* its body follows */
%token <text> NAME "a name" UNAME "the name of a type" PNAME "the name of a proctype"
%token <text> INAME "the name of an inline"
%token <number> NUMBER "a number" TYPE "a type" VISIBILITY "'hidden', 'local' or 'show'" XU "'xr' or 'xs'"
%token <text> STRING "a string"
%token <c> C_CODE "'c_code'" C_DECL "'c_decl'" C_EXPR "'c_expr'"
%token C_STATE "'c_state'" C_TRACK "'c_track'"
%token ACTIVE "'active'" ASSERT "'assert'" ATOMIC "'atomic'" BREAK "'break'" DO "'do'"
%token D_PROCTYPE "'D_proctype'" D_STEP "'d_step'" ELSE "'else'" EMPTY "'empty'"
%token ENABLED "'enabled'" EVAL "'eval'" FI "'fi'" FOR "'for'" FULL "'full'"
%token GET_PRIORITY "'get_priority'" GOTO "'goto'" IF "'if'" IN "'in'" INIT "'init'"
%token INLINE "'inline'" LEN "'len'" LTL "'ltl'" NEMPTY "'nempty'" NEVER "'never'"
%token NFULL "'nfull'" NOTRACE "'notrace'" NP "'np_'" OD "'od'" OF "'of'" PC_VALUE "'pc_value'"
%token PRINTF "'printf'" PRINTM "'printm'" PRIORITY "'priority'" PROCTYPE "'proctype'"
%token PROVIDED "'provided'" RETURN "'return'" RUN "'run'" <number> SELECT "'select'"
%token SET_PRIORITY "'set_priority'" TIMEOUT "'timeout'" TRACE "'trace'" TYPEDEF "'typedef'"
%token UNLESS "'unless'"
%token SEP "'::'" ARROW "'->'" DOTDOT "'..'" INCR "'++'" DECR "'--'" SORTED_SEND "'!!'"
%token RANDOM_RECEIVE "'??'"
%token AND "'&&'" OR "'||'" EQ "'=='" NE "'!='" LE "'<='" GE "'>='" SHL "'<<'" SHR "'>>'"
%token ALWAYS "'[]'" EVENTUALLY "'<>'" UNTIL "'U'" WEAK "'W'" RELEASE "'V'" NEXT "'X'"
%token IMPLIES "'->' of a formula" EQUIV "'<->'"

%left IMPLIES EQUIV
%left OR
%left AND
%left UNTIL WEAK RELEASE
%left '|'
%left '^'
%left '&'
%left EQ NE
%left '<' '>' LE GE
%left SHL SHR
%left '+' '-'
%left '*' '/' '%'
%precedence '~' UNARY

%type <unit> units unit proctype claim ltl c_unit mtype_decl utype
%type <expr> instances priority_opt provided_opt expr probe varref pfld rarg
%type <exprs> args_opt args margs rargs varrefs constants
%type <names> names strings
%type <text> name pname name_opt
%type <type> type_in_channel
%type <types> types
%type <channel> channel
%type <decl> decl decls params vars var vardecl
%type <stmt> body sequence step stmt block
%type <option> options option
%type <number> number_opt
%type <flag> proctype_word

%start model

%%

model: units { b->parse->units = PML_CLOSE($1); }
  | GIVEN expr { b->expr = $2; }

units: %empty { $$ = NULL; }
  | units unit { $$ = $2 ? PML_APPEND($1, $2) : $1; }

unit: proctype | claim | ltl | c_unit | mtype_decl | utype
  | decl { $$ = pml_unit(b, AST_UNIT_DECLS, @$); $$->decls = PML_CLOSE($1); }
  | separator { $$ = NULL; }
  | error { $$ = NULL; }

separator: ';' | ARROW
separators: separator | separators separator
separator_opt: %empty | separator

name: NAME | UNAME | PNAME | INAME
pname: NAME | PNAME
name_opt: %empty { $$ = NULL; } | NAME

  /* ---- units ---- */

proctype: instances proctype_word pname '(' params ')' priority_opt provided_opt body {
      $$ = pml_unit(b, AST_UNIT_PROCTYPE, @3);
      $$->is_active = $1 != NULL;
      $$->active = $1 && $1->op != AST_STRING ? $1 : NULL;
      $$->is_d_proctype = $2;
      $$->name = $3;
      $$->decls = PML_CLOSE($5);
      $$->priority = $7;
      $$->provided = $8;
      $$->body = $9;
      pml_stream_word(b->stream, $3, PML_WORD_PROCTYPE);
    }
  | INIT priority_opt body {
      $$ = pml_unit(b, AST_UNIT_INIT, @1);
      $$->priority = $2;
      $$->body = $3;
    }

instances: %empty { $$ = NULL; }
  | ACTIVE { $$ = pml_expr(b, AST_STRING, @$); } /* not a number: one */
  | ACTIVE '[' expr ']' { $$ = $3; }

proctype_word: PROCTYPE { $$ = false; } | D_PROCTYPE { $$ = true; }

priority_opt: %empty { $$ = NULL; }
  | PRIORITY NUMBER { $$ = pml_const(b, $2, @2); }

provided_opt: %empty { $$ = NULL; }
  | PROVIDED '(' expr ')' { $$ = $3; }

params: %empty { $$ = NULL; } | decls

claim: NEVER name_opt body {
      $$ = pml_unit(b, AST_UNIT_NEVER, @1);
      $$->name = $2;
      $$->body = $3;
    }
  | TRACE body { $$ = pml_unit(b, AST_UNIT_TRACE, @1); $$->body = $2; }
  | NOTRACE body { $$ = pml_unit(b, AST_UNIT_NOTRACE, @1); $$->body = $2; }

ltl: LTL name_opt '{' { b->in_ltl = true; } expr separator_opt '}' {
      $$ = pml_unit(b, AST_UNIT_LTL, @1);
      $$->name = $2;
      $$->expr = $5;
      $$->text = pml_text_between(b, &@3, &@7);
      b->in_ltl = false;
    }

c_unit: C_CODE { $$ = pml_unit(b, AST_UNIT_C_CODE, @1); $$->text = $1.text; }
  | C_DECL { $$ = pml_unit(b, AST_UNIT_C_CODE, @1); $$->text = $1.text; $$->is_decl = true; }
  | C_STATE strings { $$ = pml_named_unit(b, AST_UNIT_C_STATE, NULL, $2, @1); }
  | C_TRACK strings { $$ = pml_named_unit(b, AST_UNIT_C_STATE, NULL, $2, @1); $$->is_decl = true; }

strings: STRING STRING { $$ = pml_name_add(b, pml_name_add(b, NULL, $1, @1), $2, @2); }
  | STRING STRING STRING {
      $$ = pml_name_add(b, pml_name_add(b, pml_name_add(b, NULL, $1, @1), $2, @2), $3, @3);
    }

mtype_decl: TYPE '{' names '}' { $$ = pml_mtype(b, $1, NULL, $3, @1); }
  | TYPE '=' '{' names '}' { $$ = pml_mtype(b, $1, NULL, $4, @1); }
  | TYPE ':' name '=' '{' names '}' { $$ = pml_mtype(b, $1, $3, $6, @1); }

names: NAME { $$ = pml_name_add(b, NULL, $1, @1); }
  | names NAME { $$ = pml_name_add(b, $1, $2, @2); }
  | names ',' { $$ = $1; }

utype: TYPEDEF name '{' decls separator_opt '}' {
      $$ = pml_unit(b, AST_UNIT_TYPEDEF, @2);
      $$->name = $2;
      $$->decls = PML_CLOSE($4);
      pml_stream_word(b->stream, $2, PML_WORD_TYPE);
    }

  /* ---- declarations ---- */

decls: decl | decls ';' decl { $$ = PML_JOIN($1, $3); }

decl: TYPE vars { $$ = pml_typed(b, $2, $1, NULL, 0, @1); }
  | TYPE ':' name vars { $$ = pml_typed(b, $4, $1, $3, 0, @1); }
  | UNAME vars { $$ = pml_typed(b, $2, AST_STRUCT, $1, 0, @1); }
  | VISIBILITY TYPE vars { $$ = pml_typed(b, $3, $2, NULL, $1, @2); }
  | VISIBILITY TYPE ':' name vars { $$ = pml_typed(b, $5, $2, $4, $1, @2); }
  | VISIBILITY UNAME vars { $$ = pml_typed(b, $3, AST_STRUCT, $2, $1, @2); }

vars: var { $$ = PML_APPEND((struct ast_decl *)NULL, $1); }
  | vars ',' var { $$ = PML_APPEND($1, $3); }

var: vardecl
  | vardecl '=' expr { $$ = $1; pml_initial(b, $1, pml_expr_add(b, NULL, $3)); }
  | vardecl '=' '{' constants '}' { $$ = $1; pml_initial(b, $1, $4); }
  | vardecl '=' channel { $$ = $1; $$->channel = $3; }

vardecl: name { $$ = pml_decl(b, $1, @1); }
  | name ':' NUMBER { $$ = pml_decl(b, $1, @1); $$->bits = pml_const(b, $3, @3); }
  | name '[' expr ']' { $$ = pml_decl(b, $1, @1); $$->length = $3; }

constants: expr { $$ = pml_expr_add(b, NULL, $1); }
  | constants ',' expr { $$ = pml_expr_add(b, $1, $3); }

channel: '[' expr ']' OF '{' types '}' { $$ = pml_channel(b, $2, $6); }

types: type_in_channel { $$ = pml_type_add(b, NULL, $1); }
  | types ',' type_in_channel { $$ = pml_type_add(b, $1, $3); }

type_in_channel: TYPE { $$ = pml_type(b, $1, NULL, @$); pml_no_unsigned(b, &$$); }
  | TYPE ':' name { $$ = pml_type(b, $1, $3, @$); }
  | UNAME { $$ = pml_type(b, AST_STRUCT, $1, @$); }

  /* ---- statements ---- */

body: '{' sequence separator_opt '}' { $$ = PML_CLOSE($2); }
block: '{' sequence separator_opt '}' { $$ = PML_CLOSE($2); }

sequence: step { $$ = $1 ? PML_APPEND((struct ast_stmt *)NULL, $1) : NULL; }
  | sequence separators step { $$ = $3 ? PML_APPEND($1, $3) : $1; }

step: decl { $$ = pml_stmt(b, AST_DECLS, @$); $$->decls = PML_CLOSE($1); }
  | mtype_decl { diag_error(b->parse->diag, @1, "mtype names are declared outside of proctypes"); $$ = NULL; }
  | XU varrefs { $$ = pml_stmt(b, AST_XR, @$); $$->sorted = $1; pml_args(b, $$, $2); }
  | NAME ':' decl { diag_error(b->parse->diag, @1, "label '%s' stands before a declaration; expected a statement", $1); $$ = NULL; }
  | stmt
  | stmt UNLESS stmt { $$ = pml_stmt(b, AST_UNLESS, @$); $$->body = $1; $$->other = $3; }
  | error { $$ = NULL; }

stmt: varref '?' rargs { $$ = pml_receive(b, $1, $3, false, false, @$); }
  | varref RANDOM_RECEIVE rargs { $$ = pml_receive(b, $1, $3, true, false, @$); }
  | varref '?' '<' rargs '>' { $$ = pml_receive(b, $1, $4, false, true, @$); }
  | varref RANDOM_RECEIVE '<' rargs '>' { $$ = pml_receive(b, $1, $4, true, true, @$); }
  | varref '!' margs { $$ = pml_send(b, $1, $3, false, @$); }
  | varref SORTED_SEND margs { $$ = pml_send(b, $1, $3, true, @$); }
  | FOR '(' varref ':' expr DOTDOT expr ')' separator_opt block {
      $$ = pml_range(b, AST_FOR, $3, $5, $7, @$);
      $$->body = $10;
    }
  | FOR '(' varref IN varref ')' separator_opt block {
      $$ = pml_range(b, AST_FOR, $3, $5, NULL, @$);
      $$->body = $8;
    }
  | SELECT '(' varref ':' expr DOTDOT expr ')' { $$ = pml_select(b, $1, $3, $5, $7, @$); }
  | IF options FI { $$ = pml_stmt(b, AST_IF, @$); $$->options = PML_CLOSE($2); }
  | DO options OD { $$ = pml_stmt(b, AST_DO, @$); $$->options = PML_CLOSE($2); }
  | BREAK { $$ = pml_stmt(b, AST_BREAK, @$); }
  | GOTO name { $$ = pml_stmt(b, AST_GOTO, @$); $$->name = $2; }
  | NAME ':' stmt { $$ = pml_stmt(b, AST_LABEL, @$); $$->name = $1; $$->body = $3; }
  | NAME ':' { $$ = pml_stmt(b, AST_LABEL, @$); $$->name = $1; }
  | varref '=' expr { $$ = pml_assign(b, $1, $3, '=', @$); }
  | varref INCR { $$ = pml_step(b, $1, '+', @$); }
  | varref DECR { $$ = pml_step(b, $1, '-', @$); }
  | SET_PRIORITY '(' expr ',' expr ')' {
      $$ = pml_stmt(b, AST_SET_PRIORITY, @$);
      pml_args(b, $$, pml_expr_add(b, pml_expr_add(b, NULL, $3), $5));
    }
  | PRINTF '(' STRING ')' { $$ = pml_printf(b, $3, @3, NULL, @$); }
  | PRINTF '(' STRING ',' args ')' { $$ = pml_printf(b, $3, @3, $5, @$); }
  | PRINTM '(' expr ')' { $$ = pml_stmt(b, AST_PRINTM, @$); $$->expr = $3; }
  | ASSERT expr { $$ = pml_stmt(b, AST_ASSERT, @$); $$->expr = $2; }
  | C_CODE { $$ = pml_stmt(b, AST_C_CODE, @$); $$->name = $1.text; $$->label = $1.label; }
  | C_DECL { diag_error(b->parse->diag, @1, "c_decl stands outside of proctypes"); $$ = pml_stmt(b, AST_C_CODE, @$); $$->name = $1.text; }
  | expr { $$ = pml_stmt(b, AST_EXPR, @$); $$->expr = $1; }
  | ELSE { $$ = pml_stmt(b, AST_ELSE, @$); }
  | ATOMIC block { $$ = pml_stmt(b, AST_ATOMIC, @$); $$->body = $2; }
  | D_STEP block { $$ = pml_stmt(b, AST_D_STEP, @$); $$->body = $2; }
  | block { $$ = pml_stmt(b, AST_BLOCK, @$); $$->body = $1; }
  | CALL { $<expr>$ = b->result; b->result = NULL; } block {
      $$ = pml_stmt(b, AST_BLOCK, @3);
      $$->body = $3;
      b->result = $<expr>2;
    }
  | varref '=' CALL { $<expr>$ = b->result; b->result = $1; } block {
      $$ = pml_stmt(b, AST_BLOCK, @5);
      $$->body = $5;
      b->result = $<expr>4;
    }
  | RETURN expr { $$ = pml_return(b, $2, @$); }

options: option { $$ = PML_APPEND((struct ast_option *)NULL, $1); }
  | options option { $$ = PML_APPEND($1, $2); }

option: SEP sequence separator_opt {
      $$ = ARENA_NEW(b->parse->arena, struct ast_option);
      $$->body = PML_CLOSE($2);
      $$->span = @1;
    }

  /* ---- expressions ---- */

varref: pfld | pfld '.' varref { $$ = pml_field(b, $1, $3, @$); }
varrefs: varref { $$ = pml_expr_add(b, NULL, $1); } | varrefs ',' varref { $$ = pml_expr_add(b, $1, $3); }

pfld: NAME { $$ = pml_ref(b, $1, NULL, @$); }
  | NAME '[' expr ']' { $$ = pml_ref(b, $1, $3, @$); }

expr: '(' expr ')' { $$ = $2; $$->in_parens = true; $$->span = @$; }
  | '(' expr ARROW expr ':' expr ')' { $$ = pml_expr3(b, AST_COND, $2, $4, $6, @$); }
  | expr '+' expr { $$ = pml_expr2(b, AST_ADD, $1, $3, @$); }
  | expr '-' expr { $$ = pml_expr2(b, AST_SUB, $1, $3, @$); }
  | expr '*' expr { $$ = pml_expr2(b, AST_MUL, $1, $3, @$); }
  | expr '/' expr { $$ = pml_expr2(b, AST_DIV, $1, $3, @$); }
  | expr '%' expr { $$ = pml_expr2(b, AST_MOD, $1, $3, @$); }
  | expr '&' expr { $$ = pml_expr2(b, AST_BITAND, $1, $3, @$); }
  | expr '^' expr { $$ = pml_expr2(b, AST_BITXOR, $1, $3, @$); }
  | expr '|' expr { $$ = pml_expr2(b, AST_BITOR, $1, $3, @$); }
  | expr '>' expr { $$ = pml_expr2(b, AST_GT, $1, $3, @$); }
  | expr '<' expr { $$ = pml_expr2(b, AST_LT, $1, $3, @$); }
  | expr GE expr { $$ = pml_expr2(b, AST_GE, $1, $3, @$); }
  | expr LE expr { $$ = pml_expr2(b, AST_LE, $1, $3, @$); }
  | expr EQ expr { $$ = pml_expr2(b, AST_EQ, $1, $3, @$); }
  | expr NE expr { $$ = pml_expr2(b, AST_NE, $1, $3, @$); }
  | expr AND expr { $$ = pml_expr2(b, AST_AND, $1, $3, @$); }
  | expr OR expr { $$ = pml_expr2(b, AST_OR, $1, $3, @$); }
  | expr SHL expr { $$ = pml_expr2(b, AST_SHL, $1, $3, @$); }
  | expr SHR expr { $$ = pml_expr2(b, AST_SHR, $1, $3, @$); }
  | '~' expr { $$ = pml_expr1(b, AST_BITNOT, $2, @$); }
  | '-' expr %prec UNARY { $$ = pml_expr1(b, AST_NEG, $2, @$); }
  | '!' expr %prec UNARY { $$ = pml_not(b, $2, @$); }
  | expr UNTIL expr { $$ = pml_expr2(b, AST_LTL_UNTIL, $1, $3, @$); }
  | expr RELEASE expr { $$ = pml_expr2(b, AST_LTL_RELEASE, $1, $3, @$); }
  | expr WEAK expr { $$ = pml_expr2(b, AST_LTL_WEAK, $1, $3, @$); }
  | expr IMPLIES expr { $$ = pml_expr2(b, AST_LTL_IMPLIES, $1, $3, @$); }
  | expr EQUIV expr { $$ = pml_expr2(b, AST_LTL_EQUIV, $1, $3, @$); }
  | NEXT expr %prec UNARY { $$ = pml_expr1(b, AST_LTL_NEXT, $2, @$); }
  | ALWAYS expr %prec UNARY { $$ = pml_expr1(b, AST_LTL_ALWAYS, $2, @$); }
  | EVENTUALLY expr %prec UNARY { $$ = pml_expr1(b, AST_LTL_EVENTUALLY, $2, @$); }
  | RUN pname '(' args_opt ')' number_opt {
      $$ = pml_list_expr(b, AST_RUN, $4, @$);
      $$->name = $2;
      $$->value = $6;
    }
  | probe
  | LEN '(' varref ')' { $$ = pml_expr1(b, AST_LEN, $3, @$); }
  | ENABLED '(' expr ')' { $$ = pml_expr1(b, AST_ENABLED, $3, @$); }
  | GET_PRIORITY '(' expr ')' { $$ = pml_expr1(b, AST_GET_PRIORITY, $3, @$); }
  | PC_VALUE '(' expr ')' { $$ = pml_expr1(b, AST_PC_VALUE, $3, @$); }
  | varref '?' '[' rargs ']' { $$ = pml_poll(b, $1, $4, false, @$); }
  | varref RANDOM_RECEIVE '[' rargs ']' { $$ = pml_poll(b, $1, $4, true, @$); }
  | varref
  | C_EXPR { $$ = pml_expr(b, AST_C_EXPR, @$); $$->name = $1.text; }
  | NUMBER { $$ = pml_const(b, $1, @$); }
  | TIMEOUT { $$ = pml_expr(b, AST_TIMEOUT, @$); }
  | NP { $$ = pml_expr(b, AST_NP, @$); }
  | PNAME '[' expr ']' '@' NAME { $$ = pml_remote_label(b, $1, $3, $6, @$); }
  | NAME '[' expr ']' '@' NAME { $$ = pml_remote_label(b, $1, $3, $6, @$); }
  | PNAME '@' NAME { $$ = pml_remote_label(b, $1, NULL, $3, @$); }
  | NAME '@' NAME { $$ = pml_remote_label(b, $1, NULL, $3, @$); }
  | PNAME '[' expr ']' ':' pfld { $$ = pml_remote_var(b, $1, $3, $6, @$); }
  | PNAME ':' pfld { $$ = pml_remote_var(b, $1, NULL, $3, @$); }

probe: FULL '(' varref ')' { $$ = pml_expr1(b, AST_FULL, $3, @$); }
  | NFULL '(' varref ')' { $$ = pml_expr1(b, AST_NFULL, $3, @$); }
  | EMPTY '(' varref ')' { $$ = pml_expr1(b, AST_EMPTY, $3, @$); }
  | NEMPTY '(' varref ')' { $$ = pml_expr1(b, AST_NEMPTY, $3, @$); }

number_opt: %empty { $$ = 0; } | PRIORITY NUMBER { $$ = $2; }

args_opt: %empty { $$ = NULL; } | args
args: expr { $$ = pml_expr_add(b, NULL, $1); }
  | args ',' expr { $$ = pml_expr_add(b, $1, $3); }
margs: args
  | expr '(' args ')' { $$ = pml_exprs_join(b, pml_expr_add(b, NULL, $1), $3); }

rargs: rarg { $$ = pml_expr_add(b, NULL, $1); }
  | rarg ',' rargs { $$ = pml_exprs_join(b, pml_expr_add(b, NULL, $1), $3); }
  | rarg '(' rargs ')' { $$ = pml_exprs_join(b, pml_expr_add(b, NULL, $1), $3); }
  | '(' rargs ')' { $$ = $2; }

rarg: varref
  | EVAL '(' expr ')' { $$ = pml_expr1(b, AST_EVAL, $3, @$); }
  | NUMBER { $$ = pml_const(b, $1, @$); }
  | '-' NUMBER { $$ = pml_const(b, -$2, @$); }

%%

// --- messages ---

#define S(x) YYSYMBOL_##x
#define EXPRESSION                                                                                 \
  S(NUMBER), S(NAME), S(PNAME), S(RUN), S(FULL), S(NFULL), S(EMPTY), S(NEMPTY), S(LEN),            \
      S(ENABLED), S(GET_PRIORITY), S(PC_VALUE), S(C_EXPR), S(TIMEOUT), S(NP), S(NEXT), S(ALWAYS),  \
      S(EVENTUALLY), S(CALL)
static const struct expected_group groups[] = {
    {"a declaration, proctype or init",
     {S(TYPEDEF), S(INIT)},
     ";",
     {S(TYPEDEF), S(INIT), S(PROCTYPE), S(D_PROCTYPE), S(ACTIVE), S(NEVER), S(TRACE), S(NOTRACE),
      S(LTL), S(C_CODE), S(C_DECL), S(C_STATE), S(C_TRACK), S(TYPE), S(UNAME), S(VISIBILITY), S(ARROW),
      S(GIVEN)}},
    {"a statement",
     {S(GOTO), S(ATOMIC)},
     "-~!({",
     {S(GOTO), S(ATOMIC), S(D_STEP), S(ASSERT), S(BREAK), S(DO), S(IF), S(FOR), S(SELECT), S(ELSE),
      S(PRINTF), S(PRINTM), S(SET_PRIORITY), S(C_CODE), S(C_DECL), S(RETURN), S(TYPE),
      S(UNAME), S(VISIBILITY), S(XU), EXPRESSION}},
    {"a type", {S(TYPE), S(UNAME)}, "", {S(TYPE), S(UNAME), S(VISIBILITY)}},
    {"an expression", {S(NUMBER), S(RUN)}, "-~!(", {EXPRESSION}},
    {NULL,
     {S(AND), S(OR)},
     "+-*/%<>&|^?!=.[(@",
     {S(INCR), S(DECR), S(SORTED_SEND), S(RANDOM_RECEIVE), S(UNLESS), S(EQ), S(NE), S(AND), S(OR), S(LE), S(GE), S(SHL), S(SHR), S(UNTIL), S(WEAK), S(RELEASE), S(IMPLIES),
      S(EQUIV)}},
    {"a name", {S(NAME), S(PNAME)}, "", {S(NAME), S(UNAME), S(PNAME), S(INAME)}},
};
#undef EXPRESSION
#undef S

static const char *spelling(const void *context, int kind) {
  const struct pml_build *b = context;
  return b->given && kind == YYSYMBOL_YYEOF ? "the end of the expression" : yysymbol_name(kind);
}

// Where a semicolon is expected, that an arrow would do as well is not said.
static void say_expected(const struct pml_build *b, struct text *out, int *set, int n) {
  struct expected e = {groups, sizeof groups / sizeof *groups, spelling, b};
  bool separator = false;
  for (int i = 0; i < n; i++) separator = separator || expected_punctuation(&e, set[i], ";");
  for (int i = 0; i < n; i++)
    if (set[i] == YYSYMBOL_GIVEN || (separator && set[i] == YYSYMBOL_ARROW)) set[i] = EXPECTED_NONE;
  expected_say(&e, out, set, n);
}

static void say_found(const struct pml_build *b, struct text *out, yysymbol_kind_t found) {
  const struct pml_token *t = &b->stream->before; // the last one given
  if (t->kind == PML_NAME && found == YYSYMBOL_NAME) text_printf(out, "the name '%s'", t->text);
  else text_add(out, found == YYSYMBOL_YYEMPTY ? "something else" : spelling(b, found));
}

// Tokens that never stand between braces.
static bool is_outside(yysymbol_kind_t k) {
  return k == YYSYMBOL_YYEOF || k == YYSYMBOL_PROCTYPE || k == YYSYMBOL_ACTIVE || k == YYSYMBOL_INIT ||
         k == YYSYMBOL_NEVER || k == YYSYMBOL_TYPEDEF || k == YYSYMBOL_INLINE;
}

static int yyreport_syntax_error(const yypcontext_t *ctx, struct pml_build *b) {
  enum { MAX = YYNTOKENS };
  yysymbol_kind_t kinds[MAX];
  int set[MAX], n = yypcontext_expected_tokens(ctx, kinds, MAX);
  if (n < 0) return n;
  for (int i = 0; i < n; i++) set[i] = kinds[i];
  struct text message = {0};
  text_add(&message, "expected ");
  say_expected(b, &message, set, n);
  text_add(&message, ", but found ");
  say_found(b, &message, yypcontext_token(ctx));
  diag_error(b->parse->diag, *yypcontext_location(ctx), "%s", text_str(&message));
  if (b->stream->braces > 0 && is_outside(yypcontext_token(ctx)))
    diag_add(b->parse->diag, DIAG_NOTE, b->stream->outermost, "this '{' is not closed");
  text_clear(&message);
  return 0;
}

// Called by bison only when its stack is full.
static void pml_yyerror(struct span *at, struct pml_build *b, const char *text) {
  (void)text;
  diag_error(b->parse->diag, *at, "nested too deeply: more than %d open constructs", YYMAXDEPTH);
}

static int pml_yylex(YYSTYPE *value, struct span *at, struct pml_build *b) {
  struct pml_token t;
  if (b->given && !b->announced) {
    b->announced = true;
    *at = (struct span){0};
    return PML_GIVEN;
  }
  pml_stream_next(b->stream, &t);
  *at = t.span;
  if (t.kind == PML_C_CODE || t.kind == PML_C_DECL || t.kind == PML_C_EXPR) {
    value->c.text = t.text;
    value->c.label = t.label;
  } else if (t.kind == PML_NUMBER || t.kind == PML_TYPE || t.kind == PML_VISIBILITY || t.kind == PML_XU ||
             t.kind == PML_SELECT) {
    value->number = t.value;
  } else {
    value->text = t.text;
  }
  return t.kind;
}
